"""What is read in a text: measures, secrets, marks, tokens."""
