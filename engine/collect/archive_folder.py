"""The archive while it grows."""

import json
import os
import re
import shutil
import tarfile
import time
from typing import Any


class ArchiveFolder:
    """The archive as it grows: a file is written whole or not at all, so that what is there need not be asked
    for again.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def path_of(self, name: str) -> str:
        path = os.path.join(self.path, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, name: str, data: "Any") -> "Any":
        path = self.path_of(name)
        with open(path + ".new", "wb") as stream:
            stream.write(
                data if isinstance(data, bytes) else json.dumps(data, separators=(",", ":")).encode()
            )
        os.replace(path + ".new", path)
        return data

    def read(self, name: str) -> "Any":
        """What was written; None where nothing was."""
        try:
            with open(self.path_of(name), "rb") as stream:
                return json.loads(stream.read().decode())
        except (OSError, ValueError):
            return None

    def is_empty(self) -> bool:
        """Is nothing of the archive there, as where no server answered?"""
        return not any(name != "call.json" for _, _, names in os.walk(self.path) for name in names)

    def pack(self, out: str) -> None:
        """The archive of all that is there, under one folder, named like the archive."""
        top = re.sub(r"\.(tar\.gz|tgz)$", "", os.path.basename(out))
        with tarfile.open(out + ".new", "w:gz") as archive:
            names = sorted(
                os.path.relpath(os.path.join(directory, entry), self.path)
                for directory, _, file_names in os.walk(self.path)
                for entry in file_names
            )
            for name in sorted(names, key=lambda name: name != "manifest.json"):
                if not name.endswith((".new", ".part")) and name != "call.json":
                    entry = tarfile.TarInfo(top + "/" + name.replace(os.sep, "/"))
                    entry.size, entry.mtime = os.path.getsize(os.path.join(self.path, name)), int(time.time())
                    with open(os.path.join(self.path, name), "rb") as stream:
                        archive.addfile(entry, stream)
        os.replace(out + ".new", out)
        shutil.rmtree(self.path)
