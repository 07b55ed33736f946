"""What is forgotten: what a wish means, what of it stands where, how it goes and comes back."""
