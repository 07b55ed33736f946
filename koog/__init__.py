"""koog: memory in Markdown and git for an AI agent, one JSON line per command."""

__version__ = "0.1.0"
