"""python -m koog"""

from koog.cli import entry

entry()
