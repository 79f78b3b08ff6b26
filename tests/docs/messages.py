#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""messages.py ROOT [--list]: every sentence that the elements can tell a user has its entry in
docs/guide/troubleshooting.md, and every entry there begins a sentence of the code.

A sentence is a string of at least LEAST_WORDS words in gst/*/*.c, outside of what only developers
read (GST_INFO and below) and of descriptions (properties, fields, enumerations). What printf fills
in becomes "...". The guide has it as a heading of the third level, in backticks, which is its
beginning; or, where it only completes other messages, the first CHARS of it in their text."""

import re
import sys
from pathlib import Path

GUIDE = "docs/guide/troubleshooting.md"
LEAST_WORDS = 4
LEAST_CHARS = 20                # of a heading
CHARS = 35
TOKEN = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)
    |(?P<include>^[ ]*\#[ ]*(?:include|pragma)[^\n]*)
    |"(?P<string>(?:[^"\\\n]|\\.)*)"|(?P<char>'(?:[^'\\]|\\.)')|(?P<name>[A-Za-z_]\w*)
    |(?P<mark>[(){};,=?:])""", re.DOTALL | re.MULTILINE | re.VERBOSE)
NO_MESSAGE = re.compile(
    r"g_param_spec_\w+|GST_(DEBUG|INFO|LOG|TRACE)(_OBJECT)?|GST_CAT_LEVEL_LOG|SESSION_LOG"
    r"|_?(GST_DEBUG_CATEGORY|gst_debug_category_new)\w*|DESCRIPTION_\w+"
    r"|gst_element_class_\w+|gst_tracer_\w+|FIELD_\w+|GST_PLUGIN_DEFINE|GST_STATIC_CAPS|G_REGEX\w*"
    r"|GEnumValue|PROPERTY_\w+|FieldRow|FieldStructure|PropertyRow|g_regex_\w+"
    r"|gst_caps_from_string|MessageWords")
TABLES = ("GEnumValue", "FieldRow", "FieldStructure", "PropertyRow", "MessageWords")
FILLED = re.compile(r"%[-+#0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z)?[diufgxXsc]|%$|%(?=\.\.\.)")
ENTRY = re.compile(r"^### `(.+)`$", re.MULTILINE)


def literals(text):
    """(literal, around) of each string, adjacent ones joined, a macro between them as "...";
    around: names of the calls and initialisers that it stands in."""
    around, parts, last = [], [], ""
    for match in TOKEN.finditer(text):
        kind, value = match.lastgroup, match[match.lastgroup]
        if kind in ("comment", "include"):
            continue
        if kind == "string":
            parts.append(value)
            continue
        if kind == "name" and parts and value.isupper():
            parts.append("...")
            continue
        if parts:
            yield "".join(parts), list(around)
            parts = []
        if kind == "name":
            last = next((table for table in TABLES if table in (value, last)), value)
        elif value in "({":
            around.append(last)
            last = ""
        elif value in ")}":
            around = around[:-1]
            last = ""
        elif value == ";":
            last = ""


def plain(literal):
    text = literal.replace('\\"', '"').replace("\\n", " ").replace("%%", "\0")
    text = FILLED.sub("...", text).replace("\0", "%")
    return re.sub(r"(\.\.\.){2,}", "...", " ".join(text.split()))


def sentences(root, least_words=LEAST_WORDS):
    """{sentence: file}"""
    found = {}
    for path in sorted((root / "gst").rglob("*.c")):
        for literal, around in literals(path.read_text(encoding="utf-8")):
            text = plain(literal)
            words = [word for word in text.split() if re.search(r"[A-Za-z]", word)]
            if len(words) >= least_words and not any(map(NO_MESSAGE.fullmatch, around)):
                found.setdefault(text, path.relative_to(root).as_posix())
    return found


def is_told_by(sentence, entries, words):
    return sentence[:CHARS].strip() in words or any(
        sentence.startswith(entry) and len(entry) >= min(LEAST_CHARS, len(sentence))
        for entry in entries)


def faults(root):
    guide = (root / GUIDE).read_text(encoding="utf-8")
    words, entries = " ".join(guide.split()), ENTRY.findall(guide)
    told = sentences(root)
    for sentence, path in told.items():
        if not is_told_by(sentence, entries, words):
            yield f"{path}: \"{sentence}\" has no entry"
    all_told = sentences(root, least_words=1)
    for entry in entries:
        if not any(sentence.startswith(entry) for sentence in all_told):
            yield f"{GUIDE}: no element says \"{entry}\""


def main(root, *options):
    if options:
        print("\n".join(f"{path}: {text}" for text, path in sentences(root).items()))
        return 0
    found = list(faults(root))
    print("\n".join(found) or "each message has its entry")
    if found:
        print(f"Give each message an entry in {GUIDE}: a heading ### `BEGINNING OF THE MESSAGE`, "
              "with ... for what is filled in, its cause, and its cure.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
