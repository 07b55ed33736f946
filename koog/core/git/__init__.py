"""koog's git: commits that disturb nobody, and pushes."""
