"""Who and what a text names: the entities that are known, and how they are called."""
