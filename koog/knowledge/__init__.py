"""What was said becomes transcripts, and transcripts become knowledge files.  [autopoiesis §2, §3, §8]"""
