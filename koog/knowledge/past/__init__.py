"""What git remembers of the memory: when something was learned, what was known at a date, what has changed since."""
