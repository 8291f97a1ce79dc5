"""A class at once: what Chromium asks for in a lesson is recorded, and replayed by many visitors while one
real Chromium measures among them.
"""
