"""The price of a node-hour, in any currency."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.messages import msg
from engine.prediction.question import QuestionError

TYPED = re.compile(r"([^\d\s.,-]{0,8})\s*(\d{1,12}(?:[.,]\d{1,9})?)\s*([^\d\s.,-]{0,8})")
HOUR_S = 3600


@dataclass(frozen=True)
class Price:
    """amount: of one node and hour; before, after: the currency as it stands before or after a number."""

    amount: float
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, text: str) -> Price | None:
        """From "0.40", "$0.40", "0,40 EUR"; None for an empty text, QuestionError for what is no price."""
        text = text.strip()
        if not text:
            return None
        match = TYPED.fullmatch(text)
        if not match:
            raise QuestionError(msg("prediction.price.price_must_be_amount_node_hour", text=text[:40]))
        return cls(float(match[2].replace(",", ".")), match[1], match[3])

    def cost(self, nodes: int, seconds: float) -> float:
        """Of so many nodes for so long."""
        return self.amount * nodes * seconds / HOUR_S

    def words(self, cost: float) -> str:
        """A cost with the currency: "12.80 EUR", "$1,024"."""
        number = f"{cost:,.0f}" if abs(cost) >= 1000 else f"{cost:,.2f}"
        return f"{self.before}{number}{f' {self.after}' if self.after else ''}"
