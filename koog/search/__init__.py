"""Markdown files under a derived index: found by words and by meaning, cited by path and line.  [autopoiesis §7]"""
