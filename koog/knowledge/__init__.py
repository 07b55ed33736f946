"""From raw talk to durable knowledge: transcripts, and what is taken from them.  [autopoiesis §2, §3, §8]"""
