"""Sleep: what was remembered is looked through, changes are proposed, and a person approves.  [moltbot §10]"""
