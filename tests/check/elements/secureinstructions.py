#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Instructions of a packet of 1200 bytes that is protected by one end and opened by another, and
that 300 pairs of one key cost no more each than one pair. callgrind counts: it depends on the
libraries, and not on what else the machine does.

Usage: secureinstructions.py SECURECOST"""

import re
import shutil
import subprocess
import sys

SKIPPED = 77
PACKETS = 2400
# By libsrtp 2.5 with NSS 3.87: 23000, of which three quarters are NSS's.
MOST = {"aes-128-gcm": 30_000}
MOST_GROWTH_RATIO = 1.03        # 1.05 with contexts of libsrtp of their own


def counted(program, cipher, pairs, packets):
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program,
         f"--cipher={cipher}", f"--pairs={pairs}", f"--packets={packets // pairs}"],
        check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def a_packet(program, cipher, pairs):
    few, many = (counted(program, cipher, pairs, n * PACKETS) for n in (1, 2))
    return (many - few) / PACKETS


def main():
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return SKIPPED
    failed = False
    for cipher, most in MOST.items():
        alone, among = (a_packet(sys.argv[1], cipher, pairs) for pairs in (1, 300))
        print(f"{cipher}: {alone:.0f} of one pair, {among:.0f} of 300")
        failed |= alone > most or among > MOST_GROWTH_RATIO * alone
    return failed


if __name__ == "__main__":
    sys.exit(main())
