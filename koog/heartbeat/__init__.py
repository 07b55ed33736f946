"""One tick, every thirty minutes  [sinain §4, §6]."""
