"""What every slice shares. Nothing here knows any slice."""
