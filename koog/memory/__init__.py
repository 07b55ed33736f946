"""A memory that remembers and fades: five stores, triggers, a router, decay.  [moltbot §3 to §9]"""
