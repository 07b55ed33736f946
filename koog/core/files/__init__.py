"""Where koog touches the disk: named roots, the one write door, and what makes a write whole."""
