"""From what was said to what is remembered: sessions → observations.  [openclaw-memory]"""
