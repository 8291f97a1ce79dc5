"""A result as one page of HTML that works offline and prints: the question, the scenario, the charts, the
numbers, and where they come from.

May import: figures, messages, runs, theme.
"""

from webapp.report.page import report

__all__ = ["report"]
