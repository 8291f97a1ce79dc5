"""The compiled simulation: loop.py is the event loop, the other files what one step of it does."""
