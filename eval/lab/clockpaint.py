# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Frames that say which one they are: a number painted into the picture as bits, which a browser
reads (page.html)."""

BITS, BLOCK = 12, 16  # each bit is a square of so many pixels; a codec leaves that readable
DARK, BRIGHT = 16, 235


def strip(number):
    """A line of luma."""
    return b"".join(bytes([BRIGHT if number >> bit & 1 else DARK]) * BLOCK for bit in range(BITS))


def paint(footage, painted):
    """A copy of a YUV4MPEG2 file with the numbers of its frames in their upper left."""
    with open(footage, "rb") as source, open(painted, "wb") as target:
        head = source.readline()
        words = {word[:1]: word[1:] for word in head.split()[1:]}
        width, height = int(words[b"W"]), int(words[b"H"])
        target.write(head)
        number = 0
        while line := source.readline():
            frame = bytearray(source.read(width * height * 3 // 2))
            for y in range(BLOCK):
                frame[y * width:y * width + BITS * BLOCK] = strip(number)
            target.write(line + frame)
            number += 1
