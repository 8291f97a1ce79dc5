"""The gallery: every experiment of the five papers, their numbers beside ours."""
