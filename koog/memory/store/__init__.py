"""The five stores as one: how each lies in its files, read and written."""
