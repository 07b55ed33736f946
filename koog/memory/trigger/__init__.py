"""Which words of a message ask the memory for something."""
