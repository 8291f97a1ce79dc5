"""The archive while it grows."""

import json
import os
import re
import shutil
import tarfile
import time


class Folder:
    """The archive as it grows: a file is written whole or not at all, so that what is there need not be asked for again."""

    def __init__(self, path):
        self.path = path

    def place(self, name):
        found = os.path.join(self.path, *name.split("/"))
        os.makedirs(os.path.dirname(found), exist_ok=True)
        return found

    def write(self, name, data):
        place = self.place(name)
        with open(place + ".new", "wb") as stream:
            stream.write(data if isinstance(data, bytes) else json.dumps(data, separators=(",", ":")).encode())
        os.replace(place + ".new", place)
        return data

    def read(self, name):
        """What was written; None where nothing was."""
        try:
            with open(self.place(name), "rb") as stream:
                return json.loads(stream.read().decode())
        except (OSError, ValueError):
            return None

    def pack(self, out):
        """The archive of all that is there, under one folder, named like the archive."""
        top = re.sub(r"\.(tar\.gz|tgz)$", "", os.path.basename(out))
        with tarfile.open(out + ".new", "w:gz") as archive:
            names = sorted(os.path.relpath(os.path.join(at, one), self.path) for at, _, ones in os.walk(self.path) for one in ones)
            for name in sorted(names, key=lambda name: name != "manifest.json"):
                if not name.endswith((".new", ".part")) and name != "call.json":
                    one = tarfile.TarInfo(top + "/" + name.replace(os.sep, "/"))
                    one.size, one.mtime = os.path.getsize(os.path.join(self.path, name)), int(time.time())
                    with open(os.path.join(self.path, name), "rb") as stream:
                        archive.addfile(one, stream)
        os.replace(out + ".new", out)
        shutil.rmtree(self.path)
