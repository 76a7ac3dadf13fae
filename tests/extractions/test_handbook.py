"""The example corpus: facts a reader finds in it, and statements that are no facts.

Both lists were chosen by reading the documents. Relations are named as ``naming`` says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extractions.reading import asserted

STATED = {
    "company-overview.md": [
        ("Ingrid Halvarsen", "found", "Corvane Freight Systems"),
        ("Bertil Sandoe", "found", "Corvane Freight Systems"),
        ("Corvane Freight Systems", "founded_in", "Gothenburg"),
        ("Corvane", "design", "PX-11"),
        ("Ledgerline", "is_a", "billing service"),
        ("Devika Rao-Lundgren", "is_a", "chief technology officer"),
        ("Devika Rao-Lundgren", "lead", "Platform Engineering"),
        ("Mara Lindqvist", "head_of", "Platform Engineering"),
        ("Tomás Quint", "lead", "Product Engineering"),
        ("Anneke Vos-Harlow", "report_to", "Ingrid Halvarsen"),
        ("Corvane", "have_office_in", "Porto"),
        ("YHZ-1", "host", "device test bench"),
    ],
    "services/event-gateway.md": [
        ("Transit Team", "maintain", "Event Gateway"),
        ("EG", "publish_to", "Kestrel Queue"),
        ("Echo Cache", "is_a", "Redis 7 instance"),
        ("Beacon", "issue", "client certificates"),
    ],
    "services/kestrel-queue.md": [
        ("Kestrel Queue", "built_on", "Apache Kafka"),
        ("Transit Team", "maintain", "Kestrel Queue"),
        ("Anton Breuer", "design", "topic layout"),
        ("KQ-2", "run_in", "Rotterdam data centre"),
        ("KQ-3", "run_in", "Gothenburg data centre"),
        ("MirrorMaker 2", "replicate_to", "KQ-3"),
        ("Beacon", "issue", "tokens"),
        ("Watchpost", "scrape", "brokers"),
        ("Jonas Ekberg", "lead", "Transit Team"),
        ("KQ-3", "replace", "KQ-1"),
    ],
    "services/atlas-router.md": [
        ("Anton Breuer", "write", "Atlas Router"),
        ("Transit Team", "own", "Atlas Router"),
        ("Atlas Router", "depend_on", "Kestrel Queue"),
        ("Seaglass", "provide", "live ferry positions"),
        ("Nightshift", "start", "training job"),
        ("Waypoint Store", "replicated_to", "Gothenburg"),
        ("People Operations", "run", "graduate training programme"),
    ],
    "services/ledgerline.md": [
        ("Ledgerline", "written_in", "Kotlin"),
        ("Billing Team", "develop", "Ledgerline"),
        ("Lena Duarte", "lead", "Billing Team"),
        ("Felix Amsel", "maintainer_of", "invoice module"),
        ("Ledgerline", "consume", "route.completed"),
        ("Ledgerline", "consume_from", "Kestrel Queue"),
        ("Mercury", "send", "Invoices"),
        ("Paylark", "fall_under", "PCI DSS"),
        ("Tally DB", "is_a", "PostgreSQL 15 database"),
        ("Coldharbor Backup", "take_copy_of", "Tally DB"),
        ("ledger-export", "deliver_to", "Finance"),
        ("Peter Okonjo-Lind", "head", "Finance"),
    ],
    "services/mercury.md": [
        ("Mercury", "is_a", "notification service"),
        ("Portal Team", "own", "Mercury"),
        ("Mercury", "consume", "notify.request"),
        ("Mercury", "consume_from", "Kestrel Queue"),
        ("Mercury", "store_in", "Outbox DB"),
        ("Ledgerline", "use", "Mercury"),
    ],
    "services/platform-architecture.md": [
        ("Mara Lindqvist", "head_of", "Platform Engineering"),
        ("Event Gateway", "hand_to", "Kestrel Queue"),
        ("Transit Team", "own", "Event Gateway"),
        ("Ledgerline", "call", "Rate Engine"),
        ("Tally DB", "belong_to", "Ledgerline"),
        ("Waypoint Store", "belong_to", "Atlas Router"),
        ("Rotterdam data centre", "host", "KQ-2"),
        ("Rotterdam data centre", "host", "Keyring DB"),
        ("Sollund Data", "operate", "GOT-2"),
        ("Wen Calloway", "keep", "keys"),
        ("Fjordlink", "connect", "two data centres"),
        ("Atlas Router", "consume", "tracker.raw"),
        ("Atlas Router", "consume", "carrier.raw"),
        ("Dockhouse", "is_a", "image registry"),
    ],
    "services/trackers.txt": [
        ("Devices Team", "sign", "Firmware images"),
        ("Haldane & Moss", "use", "PX-11"),
        ("Wen Calloway", "write", "store-and-forward code"),
        ("Sanne Hill", "lead", "Devices Team"),
    ],
    "people/offices.txt": [
        ("Porto", "home_to", "Billing Team"),
        ("Halifax", "host", "Devices Team"),
        ("Gothenburg", "house", "Data Platform Team"),
    ],
    "people/on-call.md": [
        ("Quillmark", "receive_from", "Watchpost"),
        ("Transit Team", "cover", "Event Gateway"),
        ("Identity Team", "cover", "Beacon"),
        ("Ruth Castellane", "own", "compensation scheme"),
        ("rota", "belong_to", "Kofi Brandström"),
    ],
    "policies/data-retention.md": [
        ("Coldharbor Backup", "cover", "Tally DB"),
        ("Nightshift", "run", "deletion jobs"),
        ("Noor Haddad", "send_to", "Emil Tarkka"),
        ("Emil Tarkka", "own", "Data Retention Policy"),
    ],
    "policies/change-management.md": [
        ("Mara Lindqvist", "chair", "Change Advisory Board"),
        ("Site Reliability Team", "run", "Docketer"),
    ],
    "runbooks/rotate-certificates.txt": [
        ("Beacon", "sign", "certificates"),
        ("Coldharbor Backup", "store", "sealed copy"),
    ],
    "incidents/INC-2025-009-summary.txt": [
        ("Brightmoor Hosting", "operate", "Rotterdam data centre"),
        ("Marit Solheim", "order", "failover"),
    ],
}

NOT_STATED = {
    "company-overview.md": [("Bertil Sandoe", "role"), ("PX-12", "PX-11"), ("Corvane", "Gdańsk")],
    "services/event-gateway.md": [("Jonas Ekberg", "CoAP listener"), ("Transit Team", "EG")],
    "services/atlas-router.md": [
        ("Atlas Router", "Ledgerline"),
        ("Data Platform Team", "step"),
        ("Shipper Portal", "plans"),
        ("Atlas Router", "Manifest Service"),
        ("Transit Team", "scoring file"),
    ],
    "services/kestrel-queue.md": [
        ("Ledgerline", "route.completed"),
        ("Transit Team", "Kafka"),
        ("Transit Team", "clusters"),
        ("KQ-1", "cluster"),
    ],
    "services/ledgerline.md": [
        ("Ledgerline", "card numbers"),
        ("Ledgerline", "Waypoint Store"),
        ("Ledgerline", "Atlas Router"),
        ("Gullwing", "Rate Engine"),
        ("Ledgerline", "Gullwing"),
        ("Billing Team", "Tally DB"),
        ("Billing Team", "ledger-close"),
    ],
    "services/mercury.md": [("Mercury", "Mailbarn"), ("Coldharbor Backup", "Outbox DB")],
    "services/platform-architecture.md": [
        ("Nightshift", "Tern"),
        ("Data Platform Team", "Nightshift"),
        ("Corvane", "public cloud"),
        ("Event Gateway", "route.completed"),
    ],
    "services/trackers.txt": [("PX-11", "temperature sensor"), ("Devices Team", "PX-11")],
    "policies/data-retention.md": [("Drivers", "deletion"), ("Coldharbor Backup", "Telemetry Lake")],
    "runbooks/rotate-certificates.txt": [("Security Office", "one"), ("Event Gateway", "both old and new")],
    "incidents/INC-2025-009-summary.txt": [("Kofi Brandström", "cooling clause")],
    "incidents/INC-2024-017.md": [("PX-11", "reports"), ("Beacon", "queue")],
}

RECALL = 0.9


def read_document(folder: Path, name: str) -> set[tuple[str, str, str]]:
    """The asserted claims of a document read as one chunk."""
    return asserted((folder / name).read_text(encoding="utf-8"))


def test_most_stated_facts_are_found(handbook_dir: Path) -> None:
    missing, total = [], 0
    for name, expected in STATED.items():
        found = read_document(handbook_dir, name)
        missing += [(name, *claim) for claim in expected if claim not in found]
        total += len(expected)
    assert total >= 60
    assert 1 - len(missing) / total >= RECALL, missing


@pytest.mark.parametrize("name", NOT_STATED)
def test_nothing_denied_planned_or_reported_is_asserted(handbook_dir: Path, name: str) -> None:
    links = {frozenset((subject, target)) for subject, _, target in read_document(handbook_dir, name)}
    assert not [pair for pair in NOT_STATED[name] if frozenset(pair) in links]
