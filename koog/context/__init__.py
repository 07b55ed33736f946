"""The context compiler: what a message needs, within a token budget.  [autopoiesis §6]"""
