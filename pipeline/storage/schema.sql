-- Every table of a home. All offsets are half-open code-point spans [start, end) of normalized_text.text.
-- A document's rows are replaced in one transaction; the ledger row that says what they were made from is in it.
-- Here are the latest attempts. schema.py derives the schemas held and published from the document tables.

create table sources (
    source       varchar primary key,   -- first part of every document id of this source
    path         varchar not null,      -- absolute folder
    watched      boolean not null       -- true: the whole folder; false: single files of it
);

create table documents (
    document_id   varchar not null,      -- partition key: source/percent-encoded relative path
    source        varchar not null,
    path          varchar not null,      -- exact relative path
    version       varchar not null,      -- SHA-256 of the bytes; names the blob
    loader        varchar,
    source_format varchar,
    size_bytes    bigint not null,
    modified_at   varchar,               -- UTC, ISO 8601; when this version was first seen
    access_labels varchar[] not null,
    rejection     varchar,               -- reason code, null where the file became a document
    detail        varchar
);

-- What each file held when it was last read, so that an unchanged file is not opened again. A cache: it may be
-- emptied at any time.
create table files (
    file_id     varchar not null,        -- document id without the record
    size_bytes  bigint not null,         -- size and times from before it was read
    mtime_ns    bigint not null,
    ctime_ns    bigint not null,
    splitting   varchar not null,        -- fingerprint of the settings that decide which records it holds, or ''
    document_id varchar not null,        -- the file's document, or one of its records
    digest      varchar not null         -- SHA-256 of what that document is made from
);

create table normalized_text (
    document_id  varchar not null,
    version      varchar not null,       -- of the document this text was made from
    text         varchar,
    token_count  bigint,
    title        varchar,
    loader       varchar,
    source_format varchar,
    family       varchar,
    bom          varchar,
    newline      varchar,
    unicode_form varchar,
    metadata     varchar,                -- JSON object of strings
    warnings     varchar,                -- JSON array of {code, detail, span}
    rejection    varchar,                -- reason code, null where there is text
    detail       varchar
);

create table sections (
    document_id varchar not null,
    section_id  varchar not null,
    parent_id   varchar,
    ordinal     integer not null,
    title       varchar not null,
    level       integer not null,
    path        varchar[] not null,
    span_start  bigint not null,
    span_end    bigint not null
);

create table blocks (
    document_id varchar not null,
    ordinal     integer not null,
    kind        varchar not null,
    section_id  varchar not null,
    level       integer not null,
    title       varchar,
    language    varchar,
    caption     varchar,
    speaker     varchar,
    spoken_at   varchar,
    lead_in     boolean not null,
    cells       varchar,                 -- JSON array of cells, tables only
    line_start  integer,
    line_end    integer,
    page        integer,
    box         double[],
    confidence  double,                  -- where the text was read from a picture
    span_start  bigint not null,
    span_end    bigint not null
);

create table chunk_plans (
    document_id varchar not null,
    rule        varchar not null,
    strategy    varchar not null,
    tier        varchar not null,
    token_count bigint not null,
    settings    varchar not null,        -- JSON object, of the sizes the tier's own
    fingerprint varchar not null
);

create table chunks (
    document_id   varchar not null,
    chunk_id      varchar not null,
    ordinal       integer not null,
    level         integer not null,      -- 0 is extracted; 1 is a parent section
    parent_id     varchar,
    section_id    varchar not null,
    section_path  varchar[] not null,
    body_start    bigint not null,
    body_end      bigint not null,
    carried_start bigint,
    carried_end   bigint,
    header        varchar not null,
    header_tokens bigint not null,
    antecedents   varchar[] not null,
    tokens        bigint not null,       -- carried and body
    content_key   varchar not null,      -- of header and text
    atomic        boolean not null,
    oversize      boolean not null,
    floor_entities   integer not null,
    floor_predicates integer not null,
    floor_passed     boolean not null,
    seam_kind      varchar not null,
    carried_tokens bigint not null,
    overlap_ratio  double not null,
    exemption      varchar,
    dangling       boolean not null,
    severed        double not null
);

create table chunk_quality (
    document_id     varchar not null,
    chunks          integer not null,    -- of level 0
    parents         integer not null,
    seams           integer not null,
    severed         double not null,     -- link strength that seams cut
    band_compliance double not null,     -- share of the planned seams whose overlap is in the band
    exemptions      varchar not null,    -- JSON object: reason to number of seams
    dangling        integer not null,    -- chunks that open on a word pointing back
    atomic_splits   integer not null,
    headers_present double not null,
    below_floor     integer not null,
    oversize        integer not null,
    size_quantiles  bigint[] not null,   -- tokens at 0, 25, 50, 75, 95, 100 %
    duplication     double not null,     -- tokens of chunks over tokens of bodies
    duplication_with_headers double not null
);

create table extraction_memo (
    memo_key   varchar primary key,
    extraction varchar not null          -- JSON; spans relative to the chunk's text
);

create table chunk_extractions (
    document_id varchar not null,
    chunk_id    varchar not null,
    memo_key    varchar not null,
    extractor   varchar not null,
    model       varchar not null,
    rejections  varchar not null         -- JSON array of {reason, raw}
);

create table mentions (
    document_id varchar not null,
    mention_id  varchar not null,
    chunk_id    varchar not null,
    span_start  bigint not null,
    span_end    bigint not null,
    surface     varchar not null,
    type        varchar not null,
    name        varchar not null,        -- normalized surface
    kind        varchar not null
);

create table claims (
    document_id     varchar not null,
    claim_id        varchar not null,
    chunk_id        varchar not null,
    subject_id      varchar not null,    -- mention
    object_id       varchar,             -- mention; null where the object is a literal
    literal_start   bigint,
    literal_end     bigint,
    predicate       varchar not null,
    relation        varchar not null,
    predicate_start bigint not null,
    predicate_end   bigint not null,
    evidence_start  bigint not null,
    evidence_end    bigint not null,
    polarity        varchar not null,
    modality        varchar not null,
    attribution     varchar,
    valid_time      varchar,
    pattern         varchar not null,
    confidence      double not null,
    outcome         varchar not null     -- accepted | carried (evidence lies wholly in carried text)
);

create table entities (
    entity_id varchar not null,
    name      varchar not null,          -- most frequent surface
    key       varchar not null,          -- what its mentions share
    type      varchar not null,
    mentions  bigint not null,
    documents bigint not null
);

create table mention_entities (
    mention_id  varchar not null,
    document_id varchar not null,
    entity_id   varchar not null,
    method      varchar not null,        -- exact | normalized | ...
    score       double not null
);

create table edges (
    edge_id    varchar not null,
    subject_id varchar not null,
    relation   varchar not null,
    object_id  varchar not null,
    support    bigint not null,          -- distinct evidence spans
    documents  bigint not null           -- distinct documents
);

create table edge_claims (
    edge_id     varchar not null,
    claim_id    varchar not null,
    document_id varchar not null
);

-- What each asset's rows of a document were made from (inputs) and what came out (output, the data version).
create table ledger (
    asset       varchar not null,
    document_id varchar not null,        -- '' for an asset over the whole corpus
    inputs      varchar not null,
    output      varchar not null,
    checked     varchar,                 -- which blocking checks looked at this output; null: none did yet
    run_id      varchar not null,
    recorded_at timestamp not null,
    primary key (asset, document_id)
);

-- Documents whose rows of an asset fail a blocking check; later assets leave them alone until they are mended.
create table quarantine (
    asset        varchar not null,
    document_id  varchar not null,
    check_name   varchar not null,
    failing_rows bigint not null
);

-- A document on which an asset failed; gone once it succeeds.
create table failures (
    asset       varchar not null,
    document_id varchar not null,
    error       varchar not null,
    inputs      varchar not null,
    primary key (asset, document_id)
);

-- What each run did and cost, one row for each asset it brought up to date. Grows by a few rows a run.
create table run_costs (
    run_id       varchar not null,
    asset        varchar not null,
    reason       varchar not null,       -- of the run: the tag edgekeeper/reason, or manual
    processed    bigint not null,        -- documents whose rows were made; 1 for a rebuilt corpus asset
    fresh        bigint not null,        -- documents that were up to date
    failed       bigint not null,
    quarantined  bigint not null,
    calls_made   bigint not null,        -- chunks the extractor read
    calls_reused bigint not null,        -- chunks whose answer was known
    tokens_read  bigint not null,        -- of headers and texts of the calls made
    seconds      double not null,        -- wall time
    ended_at     timestamp not null
);
