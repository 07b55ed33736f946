"""What is asked of the memory, and which of what is remembered answers it."""
