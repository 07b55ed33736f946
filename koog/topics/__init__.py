"""Topics: what matters when; which of them a message, an answer or an event activates.  [autopoiesis §2.2, §4, §5]"""
