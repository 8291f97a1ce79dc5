"""What a command prints: the contract's result as JSON and CSV, and tables for people."""

from engine.result.decision import decision_text
from engine.result.files import csv_tables, json_text, result
from engine.result.parts import parts_json, parts_text
from engine.result.table import table
from engine.result.trace import trace_text

__all__ = ["csv_tables", "decision_text", "json_text", "parts_json", "parts_text", "result", "table", "trace_text"]
