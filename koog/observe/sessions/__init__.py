"""One reader for each host's way of keeping a conversation.  [openclaw-memory]"""
