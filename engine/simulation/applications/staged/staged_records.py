"""What is kept of applications whose tasks have a container each."""

from __future__ import annotations

from engine.run_records import HAS_STAGES, STAGE, Flags, Record, array


class AskedStages(Record):
    """Where a master stands with its stages."""

    stage_is_asked: Flags = array(STAGE, "", "1: asked for by the master that runs", when=HAS_STAGES)
