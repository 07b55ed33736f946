"""All transcripts extracted again, beside the memory in use: what would be known by another extractor or model."""
