"""From the bytes of an army list to a tree of neutral nodes, safely.

Whoever sends a file may mean harm: nothing in it is fetched, extracted, evaluated or expanded, and
everything in it is counted. XML and JSON give the same tree, so that one reader serves both.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from chargesim.rosters.findings import RosterError

MOST_BYTES = 8 * 2**20
"""Bytes of a file."""
MOST_EXPANDED = 16 * 2**20
"""Bytes of what a packed file holds."""
MOST_MEMBERS = 16
"""Members of a packed file."""
MOST_DEPTH = 64
"""Elements within each other; real lists have 16."""
MOST_ELEMENTS = 50_000
"""Elements of a list."""
WRAPPERS = {
    "costs": "cost", "costLimits": "costLimit", "forces": "force", "selections": "selection",
    "profiles": "profile", "characteristics": "characteristic", "attributes": "attribute",
    "rules": "rule", "categories": "category",
}  # fmt: skip
"""Lists that are read, and what each of their entries is called in XML."""
_TEXTS = ("$text", "$t", "__text", "#text", "_text")
_PREFIXES = "_@-$"
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


@dataclass
class Node:
    """An element: its attributes, its text and its lists of further elements.

    Parameters
    ----------
    attributes
        As texts.
    lists
        By the name of the list, such as ``selections``.
    text
        What stands between its tags.
    """

    attributes: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[Node]] = field(default_factory=dict)
    text: str = ""

    def get(self, *names: str) -> str:
        """The first of some attributes that is there, else an empty text."""
        return next((self.attributes[name] for name in names if name in self.attributes), "")

    def each(self, name: str) -> list[Node]:
        """Entries of one of its lists."""
        return self.lists.get(name, [])


def parse(data: bytes, source: str) -> Node:
    """The root of a list in any of its forms, told apart by the first bytes, never by name.

    Parameters
    ----------
    data
        The whole file.
    source
        Its name, for messages.

    Raises
    ------
    RosterError
        With one message: what is wrong, and what would be right.
    """
    if len(data) > MOST_BYTES:
        raise RosterError(
            f"{source}: is too large for an army list: at most {MOST_BYTES // 2**20} MiB"
        )
    if data[:2] == b"PK":
        data = _unpack(data, source)
    return _parse_plain(data, source)


def _parse_plain(data: bytes, source: str) -> Node:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:400]
    if not start:
        raise RosterError(f"{source}: is empty: save the list again as .ros, .rosz or .json")
    if start[:1] in (b"{", b"["):
        return _from_json(data, source)
    if data.startswith(_BOMS[1:]) or start[:1] == b"<":
        if re.match(rb"<!doctype\s+html|<html", start, re.IGNORECASE):
            raise RosterError(
                f"{source}: is a web page, perhaps a print-out of a list: save the list itself as "
                ".ros, .rosz or .json"
            )
        return _from_xml(data, source)
    kinds = {b"%PDF": "a PDF", b"PK": "a packed file within another", b"\x1f\x8b": "a gzip file"}
    kind = next((name for mark, name in kinds.items() if start.startswith(mark)), None)
    what = f"is {kind}, not an army list" if kind else "is neither XML, JSON nor a .rosz file"
    raise RosterError(f"{source}: {what}: save the list as .ros, .rosz or .json")


def _unpack(data: bytes, source: str) -> bytes:
    """The one list in a packed file, read into memory under a cap; nothing is ever extracted."""
    broken = (
        zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError,
        zlib.error, OSError, ValueError, OverflowError, IndexError, UnicodeError,
    )  # fmt: skip
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            info = _member(packed.infolist(), source)
            with packed.open(info) as stream:
                found = stream.read(MOST_EXPANDED + 1)
    except RosterError:
        raise
    except broken as error:
        raise RosterError(
            f"{source}: the packed file is damaged ({error}): save the list again"
        ) from None
    except Exception as error:
        # lzma's and bz2's own errors; the modules may be absent, so they cannot be named above
        raise RosterError(
            f"{source}: the packed file cannot be read ({error}): save the list again"
        ) from None
    if len(found) > MOST_EXPANDED:
        raise _too_large(source)
    return found


def _too_large(source: str) -> RosterError:
    return RosterError(
        f"{source}: expands to more than {MOST_EXPANDED // 2**20} MiB: that is no army list"
    )


def _member(members: list[zipfile.ZipInfo], source: str) -> zipfile.ZipInfo:
    """The member that is the list: exactly one."""
    if len(members) > MOST_MEMBERS:
        raise RosterError(
            f"{source}: holds {len(members)} files: a packed list holds one, the .ros"
        )
    files = [one for one in members if not one.is_dir() and not _is_litter(one.filename)]
    lists = [one for one in files if one.filename.lower().endswith(".ros")]
    found = lists or files
    if len(found) != 1:
        many = "no list" if not found else f"{len(found)} lists"
        raise RosterError(f"{source}: holds {many}: a packed list holds exactly one, the .ros")
    if found[0].flag_bits & 1:
        raise RosterError(f"{source}: is encrypted: save the list without a password")
    if found[0].file_size > MOST_EXPANDED:
        raise _too_large(source)
    return found[0]


def _is_litter(name: str) -> bool:
    return name.startswith("__MACOSX") or name.rpartition("/")[2].startswith("._")


def _from_xml(data: bytes, source: str) -> Node:
    """The tree of an XML file; a document type, an entity or anything fetched is refused."""
    depth = count = 0
    root: Element | None = None
    try:
        for event, element in iterparse(
            io.BytesIO(data.lstrip(b" \t\r\n")), events=("start", "end"), forbid_dtd=True
        ):
            if event == "end":
                depth -= 1
                continue
            root = element if root is None else root
            depth, count = depth + 1, count + 1
            _check_size(depth, count, source)
    except DefusedXmlException:
        raise RosterError(
            f"{source}: holds a document type or an entity, which no army list has: save the list "
            "again"
        ) from None
    except ParseError as error:
        raise RosterError(f"{source}: is not sound XML ({error}): save the list again") from None
    except (ValueError, LookupError, UnicodeError) as error:
        raise RosterError(f"{source}: cannot be read ({error}): save the list again") from None
    if root is None:
        raise RosterError(f"{source}: is empty: save the list again")
    tag = root.tag.rpartition("}")[2]
    if tag in ("catalogue", "gameSystem"):
        raise RosterError(
            f"{source}: is a data file of a list builder ({tag}), not a list: save the list itself"
        )
    if tag != "roster":
        raise RosterError(
            f"{source}: begins with <{tag[:40]}>, not <roster>: save the list as .ros, .rosz or "
            ".json"
        )
    return _node(root)


def _check_size(depth: int, count: int, source: str) -> None:
    if depth > MOST_DEPTH:
        raise RosterError(f"{source}: is nested more than {MOST_DEPTH} deep: that is no army list")
    if count > MOST_ELEMENTS:
        raise RosterError(
            f"{source}: has more than {MOST_ELEMENTS:,} elements: that is no army list"
        )


def _node(element: Element) -> Node:
    """An element of XML, with the lists that are read; what is unknown is passed over."""
    node = Node(
        {key.rpartition("}")[2]: value for key, value in element.attrib.items()},
        text=element.text or "",
    )
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in WRAPPERS:
            inner = [_node(one) for one in child if one.tag.rpartition("}")[2] == WRAPPERS[name]]
            node.lists.setdefault(name, []).extend(inner)
    return node


def _from_json(data: bytes, source: str) -> Node:
    """The tree of a JSON file, in New Recruit's shape or that of a plain dump of the XML."""
    try:
        content = json.loads(
            data.decode("utf-8-sig"),
            parse_float=str, parse_int=str, parse_constant=_no_number, object_pairs_hook=_once,
        )  # fmt: skip
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RosterError(f"{source}, line {line}: is not UTF-8 text: save it as UTF-8") from None
    except RecursionError:
        raise RosterError(
            f"{source}: is nested more than {MOST_DEPTH} deep: that is no army list"
        ) from None
    except ValueError as error:
        raise RosterError(f"{source}: is not sound JSON ({error}): save the list again") from None
    _count(content, source)
    roster = content.get("roster") if isinstance(content, dict) else None
    if roster is None and isinstance(content, dict) and "forces" in content:
        roster = content
    if not isinstance(roster, dict):
        raise RosterError(f"{source}: {_what_json(content)}")
    return _json_node(roster, source)


def _what_json(content: Any) -> str:
    if isinstance(content, dict) and {"characters", "core"} <= set(content):
        return (
            "is a list of Old World Builder, which holds no statistics: export the list from New "
            "Recruit or BattleScribe"
        )
    return 'is JSON without a "roster" table: export the list from New Recruit'


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"the key {twice[:40]!r} stands twice in one table")
    return found


def _count(content: Any, source: str) -> None:
    """Check depth and size without recursion; a list and what it holds are two levels."""
    count, level, depth = 0, [content], 0
    while level:
        depth += 1
        count += sum(isinstance(one, dict) for one in level)
        _check_size(depth // 2, count, source)
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                below += [v for v in one.values() if isinstance(v, (dict, list))]
            elif isinstance(one, list):
                below += [v for v in one if isinstance(v, (dict, list))]
        level = below


def _json_node(table: dict[str, Any], source: str) -> Node:
    node = Node()
    for key, value in table.items():
        if key in _TEXTS:
            node.text = _scalar(value)
            continue
        name = key.lstrip(_PREFIXES)
        if name in WRAPPERS:
            node.lists[name] = [_json_node(one, source) for one in _entries(value, name, source)]
        elif not isinstance(value, (dict, list)):
            node.attributes[name] = _scalar(value)
    return node


def _entries(value: Any, name: str, source: str) -> Iterator[dict[str, Any]]:
    """Tables of a list, whichever way a converter wrote it: wrapped, single, or plain."""
    if isinstance(value, dict) and WRAPPERS[name] in value:
        value = value[WRAPPERS[name]]
    for one in value if isinstance(value, list) else [value]:
        if one in (None, ""):
            continue
        if not isinstance(one, dict):
            raise RosterError(
                f"{source}: {name}: {str(one)[:40]!r} is not a table: export the list again"
            )
        yield one


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
