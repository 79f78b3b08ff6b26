# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What was found of a paper's claims: each with the criterion by which a program judged it, and the
records from which papers/claims makes docs/results/claims.md."""

import json
import os
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from provenance import commit, refuse

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "papers" / "verdicts"
PAPERS = ("ARC", "RMC", "CCID-3", "RAMP", "PIQI-RCP")
VERDICTS = ("yes", "partly", "no", "open")      # open: nothing here measures it
MARKS = {"yes": "yes", "partly": "(partly)", "no": "**no**", "open": "not tested"}
TEST_PASSES = "the test passes"     # criterion of an equation that a test of ours holds our code to
OWN, FITTED = "own equations", "fitted"
KINDS = ("yes", "partly", "no", OWN, FITTED, MARKS["open"])


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and what was measured of it."""
    paper: str          # of PAPERS
    key: str            # unique within the paper
    where: str          # figure, table or section of the paper
    says: str           # the paper, in our words
    criterion: str      # what makes it yes; what partly, if it has a partly
    found: str          # what was measured; of an open claim, why nothing was
    verdict: str        # of VERDICTS
    test: str = ""      # the test that holds it: a test's name in meson, or of a function
    fitted: str = ""    # the parameter that was chosen so that the figures of the paper come out


def verdict(holds, partly=False):
    return "yes" if holds else "partly" if partly else "no"


def mark(word):
    return MARKS[word]


def kind(claim):
    """What a reader may conclude. That our code computes what a paper writes, and that a parameter
    can be fitted, are no measurements of the paper's claim."""
    if claim.verdict != "yes":
        return MARKS["open"] if claim.verdict == "open" else claim.verdict
    return OWN if claim.criterion == TEST_PASSES else FITTED if claim.fitted else "yes"


def count(claims):
    words = [kind(claim) for claim in claims]
    return ", ".join(f"{words.count(word)} {word}" for word in KINDS if word in words)


def passes(build, program, test=""):
    """Whether a program of tests/check/rc passes, or that one of its tests. libcheck ends with
    status 0 where no test has the name."""
    environment = {**os.environ, "CK_FORK": "no", "CK_VERBOSITY": "normal", "GST_CHECKS": test}
    if not test:
        del environment["GST_CHECKS"]
    done = subprocess.run([Path(build) / "tests/check/rc" / f"rc-{program}"], env=environment,
                          check=False, stdout=subprocess.PIPE, text=True)
    return done.returncode == 0 and re.search(r"Checks: [1-9]", done.stdout) is not None


def record(part, command, claims, measured_at=""):
    """Into the record of this name, e.g. "arc" or "rcp-live", in place of what was there.
    measured_at: the commit, where the page is made later than the figures."""
    measured_at = measured_at or commit()
    refuse(measured_at.split(", "))
    if faults := [fault for claim in claims for fault in faults_of(claim)]:
        raise ValueError("; ".join(faults))
    document = {"command": command, "commit": measured_at,
                "claims": [asdict(claim) for claim in claims]}
    RECORDS.mkdir(exist_ok=True)
    (RECORDS / f"{part}.json").write_text(
        json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def faults_of(claim):
    if claim.paper not in PAPERS:
        yield f"{claim.key}: {claim.paper} is none of {PAPERS}"
    if claim.verdict not in VERDICTS:
        yield f"{claim.key}: {claim.verdict} is none of {VERDICTS}"
    for name in ("key", "where", "says", "criterion", "found"):
        if not getattr(claim, name) and not (name == "criterion" and claim.verdict == "open"):
            yield f"{claim.key}: no {name}"
    if claim.criterion == TEST_PASSES and not claim.test:
        yield f"{claim.key}: no test holds the equation"


def records():
    """{part: (command, commit, claims)}"""
    found = {}
    for path in sorted(RECORDS.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        found[path.stem] = (document["command"], document["commit"],
                            [Claim(**claim) for claim in document["claims"]])
    return found


def differing(part, found):
    """What the record `part` says otherwise of these claims, to the last digit."""
    before = {claim.key: claim for claim in records()[part][2]}
    return [f"{claim.key}: {claim.verdict}, {claim.found}; recorded: {before[claim.key].verdict}, "
            f"{before[claim.key].found}" if claim.key in before else f"{claim.key} is not recorded"
            for claim in found if before.get(claim.key) != claim]
