"""What an operator runs: set up, look, mend, schedule."""
