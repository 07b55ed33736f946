"""From days to weeks to months, and on into MEMORY.md and the files of projects and people.  [autopoiesis §8.4]"""
