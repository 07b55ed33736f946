"""Tier 1 of the watchers: what a text is searched for, free of cost.  [autopoiesis §4.2]"""
