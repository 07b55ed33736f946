"""What was said and to whom it may be told: the hosts' conversations, projects and groups.  [openclaw-memory]"""
