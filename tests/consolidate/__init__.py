"""Sleep: what is proposed, and what a person's word does with it.  [moltbot §10]"""
