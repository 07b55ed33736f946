"""One Markdown file a session, in the raw root: written as it is said, closed when it has ended.  [autopoiesis §2.1]"""
