"""Who changed what, by whose leave, and how it is taken back; what waits for a word.  [moltbot §12, §13]"""
