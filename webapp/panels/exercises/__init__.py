"""Exercises: the course's list, an exercise's page, and what its form is answered."""
