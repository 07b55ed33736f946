"""What an operator runs: init, demo."""
