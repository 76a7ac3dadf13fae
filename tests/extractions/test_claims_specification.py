"""Sentence by sentence: which claim a sentence must yield."""

from __future__ import annotations

import pytest

from tests.extractions.reading import asserted

STATED = [
    # active
    ("Vantor Rail owns Orsan Depot.", ("Vantor Rail", "own", "Orsan Depot")),
    ("Halden Foundry certifies Tresk Valve.", ("Halden Foundry", "certify", "Tresk Valve")),
    ("Brack Mill audits Quill Registry.", ("Brack Mill", "audit", "Quill Registry")),
    ("Pell Laboratory has leased Marrow Bay Port.", ("Pell Laboratory", "lease", "Marrow Bay Port")),
    ("Kofi Brandstrom leads the SRE team.", ("Kofi Brandstrom", "lead", "SRE team")),
    ("The Transit Team operates the Event Gateway.", ("Transit Team", "operate", "Event Gateway")),
    ("Dr. Ann Lee approved KEP-1234.", ("Ann Lee", "approve", "KEP-1234")),
    ("Osterby Devices makes the PX-11.", ("Osterby Devices", "make", "PX-11")),
    ("The scheduler calls `kube-apiserver`.", ("scheduler", "call", "kube-apiserver")),
    (
        "**Atlas Router** replaced [Old Router](http://x.example/a).",
        ("Atlas Router", "replace", "Old Router"),
    ),
    # passive: the agent is the subject
    ("Abel Works is owned by Zorin Pumps.", ("Zorin Pumps", "own", "Abel Works")),
    ("Ledgerline is maintained by the Billing Team.", ("Billing Team", "maintain", "Ledgerline")),
    ("Kestrel was built in 2019 by Anton Breuer.", ("Anton Breuer", "build", "Kestrel")),
    ("Kestrel is written in Kotlin and developed by Team Basalt.", ("Team Basalt", "develop", "Kestrel")),
    # passive without agent: the participle names the relation
    ("Ledgerline is written in Kotlin.", ("Ledgerline", "written_in", "Kotlin")),
    ("Tally DB is hosted in Rotterdam.", ("Tally DB", "hosted_in", "Rotterdam")),
    ("Corvane is based in Rotterdam.", ("Corvane", "based_in", "Rotterdam")),
    ("Kestrel is built on Apache Kafka.", ("Kestrel", "built_on", "Apache Kafka")),
    # prepositional
    ("Vantor Rail depends on Everly Dock.", ("Vantor Rail", "depend_on", "Everly Dock")),
    ("Tally DB runs on Kubernetes.", ("Tally DB", "run_on", "Kubernetes")),
    ("Mara Lindqvist reports to Devika Rao.", ("Mara Lindqvist", "report_to", "Devika Rao")),
    ("Lumen Ferry relies on Quill Registry.", ("Lumen Ferry", "rely_on", "Quill Registry")),
    ("Kestrel connects to Atlas Router.", ("Kestrel", "connect_to", "Atlas Router")),
    # an object and a well-founded adjunct
    ("Vantor Rail replaced Kestrel with Mercury.", ("Vantor Rail", "replace", "Kestrel")),
    ("Brack Mill leased Berth Nine from Vantor Rail.", ("Brack Mill", "lease_from", "Vantor Rail")),
    ("Ledgerline writes invoices to Tally DB.", ("Ledgerline", "write_to", "Tally DB")),
    # copular
    ("Ann Lee is the head of Security.", ("Ann Lee", "head_of", "Security")),
    ("Anneke Vos-Harlow is the CISO of Corvane.", ("Anneke Vos-Harlow", "ciso_of", "Corvane")),
    ("Kestrel is part of Atlas Platform.", ("Kestrel", "part_of", "Atlas Platform")),
    ("Mercury is the notification service.", ("Mercury", "is_a", "notification service")),
    ("Tally DB is a database.", ("Tally DB", "is_a", "database")),
    ("Lena Duarte is responsible for Ledgerline.", ("Lena Duarte", "responsible_for", "Ledgerline")),
    ("The head of Security is Ann Lee.", ("Ann Lee", "head_of", "Security")),
    # possessive
    ("Kestrel's owner is Team Basalt.", ("Team Basalt", "owner_of", "Kestrel")),
    ("The owner of Kestrel is Team Basalt.", ("Team Basalt", "owner_of", "Kestrel")),
    ("Ann Lee is Corvane's treasurer.", ("Ann Lee", "treasurer_of", "Corvane")),
    # apposition
    ("Ledgerline, the billing service, uses Tally DB.", ("Ledgerline", "is_a", "billing service")),
    ("Ledgerline, the billing service, uses Tally DB.", ("Ledgerline", "use", "Tally DB")),
    ("Ann Lee, head of Security, approved KEP-1234.", ("Ann Lee", "head_of", "Security")),
    ("Dr. Ann Lee, head of Security, approved KEP-1234.", ("Ann Lee", "approve", "KEP-1234")),
    ("The billing service, Ledgerline, uses Tally DB.", ("Ledgerline", "use", "Tally DB")),
    # relative clauses
    ("Kestrel, which feeds Atlas Router, is written in Kotlin.", ("Kestrel", "feed", "Atlas Router")),
    ("Kestrel, which feeds Atlas Router, is written in Kotlin.", ("Kestrel", "written_in", "Kotlin")),
    ("The team that owns Kestrel also runs Mercury.", ("team", "own", "Kestrel")),
    ("Tally DB is the database that Ledgerline uses.", ("Ledgerline", "use", "database")),
    # coordination
    ("Ledgerline and Mercury use Outbox DB.", ("Ledgerline", "use", "Outbox DB")),
    ("Ledgerline and Mercury use Outbox DB.", ("Mercury", "use", "Outbox DB")),
    ("Osterby Devices makes the PX-11 and the PX-12.", ("Osterby Devices", "make", "PX-12")),
    ("Brack Mill owns Orsan Depot and operates Berth Nine.", ("Brack Mill", "operate", "Berth Nine")),
    ("Kestrel calls Atlas Router, Mercury and Beacon.", ("Kestrel", "call", "Beacon")),
    ("The service runs on KQ-2 and stores its state in Tally DB.", ("service", "store_in", "Tally DB")),
    # clausal complements that keep the fact
    ("Mercury continues to use Outbox DB.", ("Mercury", "use", "Outbox DB")),
    ("Beacon is used to validate Kestrel Tokens.", ("Beacon", "validate", "Kestrel Tokens")),
    # light verbs
    ("Beacon provides access to Quill Registry.", ("Beacon", "provide_access_to", "Quill Registry")),
    # a side clause's negation stays in the side clause
    ("Kestrel, which does not use Redis, feeds Atlas Router.", ("Kestrel", "feed", "Atlas Router")),
    (
        "Vantor Rail owns Orsan Depot because Brack Mill does not want it.",
        ("Vantor Rail", "own", "Orsan Depot"),
    ),
    ("Kestrel feeds Atlas Router but not Mercury.", ("Kestrel", "feed", "Atlas Router")),
    ("Kestrel not only feeds Atlas Router but also calls Mercury.", ("Kestrel", "feed", "Atlas Router")),
    ("Vantor Rail owns Orsan Depot and will lease Berth Nine.", ("Vantor Rail", "own", "Orsan Depot")),
    # references that hardly leave a choice
    ("Mercury is the notification service. It uses Outbox DB.", ("Mercury", "use", "Outbox DB")),
    (
        "Atlas Router plans routes. The router calls Waypoint Store.",
        ("Atlas Router", "call", "Waypoint Store"),
    ),
    # labels are no part of the sentence
    ("**Owner change:** Vantor Rail owns Orsan Depot.", ("Vantor Rail", "own", "Orsan Depot")),
    ("- Foundation: Vantor Rail owns Orsan Depot.", ("Vantor Rail", "own", "Orsan Depot")),
    # type words say what the name before them is
    ("The Kestrel service uses Outbox DB.", ("Kestrel", "use", "Outbox DB")),
]

LITERALS = [
    ("Corvane employs 342 people.", ("Corvane", "employ", "342 people")),
    ("Corvane was founded in 2011.", ("Corvane", "founded_in", "2011")),
]

UNSTATED = [
    "Ledgerline was replaced.",
    "See Kestrel Queue for details.",
    "Install Kestrel and restart Mercury.",
    "## Vantor Rail owns Orsan Depot",
    "```\nVantor Rail owns Orsan Depot.\n```",
    "<!-- Vantor Rail owns Orsan Depot. -->",
    "~~Vantor Rail owns Orsan Depot.~~",
    "| Owner | Asset |\n|---|---|\n| Vantor Rail owns Orsan Depot. | x |",
    "Die Prüfstelle Köln übergab der Behörde Münster das Gerät.",
]


@pytest.mark.parametrize(("sentence", "claim"), STATED + LITERALS)
def test_states(sentence: str, claim: tuple[str, str, str]) -> None:
    assert claim in asserted(sentence)


@pytest.mark.parametrize("text", UNSTATED)
def test_states_nothing(text: str) -> None:
    assert asserted(text) == set()


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Abel Works is owned by Zorin Pumps.", ("Abel Works", "own", "Zorin Pumps")),
        ("Kestrel feeds Atlas Router. It stores events.", ("Atlas Router", "store", "events")),
        ("Kestrel feeds Mercury. It calls Beacon.", ("Kestrel", "call", "Beacon")),
    ],
)
def test_never_states(sentence: str, wrong: tuple[str, str, str]) -> None:
    assert wrong not in asserted(sentence)


def test_headings_do_not_glue_to_the_next_sentence() -> None:
    text = "# Vantor Rail\nOrsan Depot uses Gate One.\n\n- Brack Mill\n- Lumen Ferry owns Berth Nine\n"
    assert asserted(text) == {("Orsan Depot", "use", "Gate One"), ("Lumen Ferry", "own", "Berth Nine")}


def test_hard_wrapped_lines_are_one_sentence() -> None:
    assert ("Vantor Rail", "own", "Orsan Depot") in asserted("Vantor Rail owns\n  Orsan Depot.")
