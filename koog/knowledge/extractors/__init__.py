"""The extractors that come with koog: each a task with both engines.  [autopoiesis §8.3]"""
