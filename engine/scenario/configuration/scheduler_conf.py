"""What the ResourceManager answers to /ws/v1/cluster/scheduler-conf (ConfInfo) in JSON, where its scheduler
takes changes: the properties of capacity-scheduler.xml as it uses them now. In XML it answers with the file.
"""

from __future__ import annotations

import json
from typing import Any

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.xml_tree import MAX_ELEMENTS, Element

CONFIGURATION_KEY = "property"  # of the answer: its one list
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_scheduler_conf(data: bytes) -> bool:
    """Whether it is JSON, and no XML."""
    return data.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"{")


def parse_scheduler_conf(name: str, data: bytes) -> Element:
    """The answer as capacity-scheduler.xml would be parsed. FormatError where it is none, TooLarge where it
    has too many properties.
    """
    try:
        answer: Any = json.loads(data.removeprefix(BYTE_ORDER_MARK))
    except (ValueError, RecursionError) as error:
        raise FormatError(msg("scenario.scheduler_conf.not_json", name=name, error=error)) from None
    entries = answer.get(CONFIGURATION_KEY)
    entries = [entries] if isinstance(entries, dict) else entries
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise FormatError(msg("scenario.scheduler_conf.no_list", name=name, key=CONFIGURATION_KEY))
    if len(entries) > MAX_ELEMENTS:
        raise TooLarge(msg("scenario.scheduler_conf.too_many", name=name, maximum=MAX_ELEMENTS))
    root = Element("configuration")
    for entry in entries:
        parts = [Element(key, text=str(entry[key])) for key in ("name", "value") if entry.get(key)]
        root.children.append(Element("property", children=parts))
    return root
