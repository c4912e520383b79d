"""Checks of the place where a SQLite file is or shall be."""

from pathlib import Path

from podium.errors import StoreError

HEADER = b"SQLite format 3\0"

NETWORKED = ("nfs", "nfs4", "cifs", "smbfs", "smb3", "ncpfs", "9p", "fuse.sshfs", "afs", "ceph")
"""File systems on which processes of several machines would corrupt a file in WAL mode."""


def check_header(path: Path) -> None:
    """Refuse a file that is something else than a database."""
    try:
        with path.open("rb") as file:
            head = file.read(len(HEADER))
    except FileNotFoundError:
        return
    except OSError as error:
        msg = f"{path} cannot be opened: {error.strerror or error}"
        raise StoreError(msg) from None
    if head and head != HEADER:
        msg = f"{path} is no SQLite database; give another path for the studies"
        raise StoreError(msg)


def check_folder(path: Path) -> None:
    """Refuse a folder that is not there or is on another machine."""
    if not path.parent.is_dir():
        msg = f"there is no folder {path.parent}; make it, or give another path for the studies"
        raise StoreError(msg)
    kind = file_system(path.parent)
    if kind in NETWORKED:
        msg = (
            f"{path} is on a network file system ({kind}), where SQLite would not be safe; "
            "give a path on a local disk, or use PostgreSQL: postgresql://..."
        )
        raise StoreError(msg)


def file_system(folder: Path) -> str:
    """Name the kind of file system that a folder is on; nothing where that is not known."""
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    found, kind = "", ""
    resolved = str(folder.resolve()) + "/"
    for line in lines:
        _, mount, this, *_ = line.split(" ")
        if resolved.startswith(mount.rstrip("/") + "/") and len(mount) >= len(found):
            found, kind = mount, this
    return kind
