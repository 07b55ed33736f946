"""What knowledge is put away, and how it comes back: archive/.  [autopoiesis §8.5, §8.6]"""
