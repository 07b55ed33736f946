"""The playbook and the modules that merge into it  [sinain §3.4, §5]."""
