"""The program that the agent lives in: its hooks, its files, its settings.  [sinain §3]"""
