-- One crawl. `urls` is the frontier: a URL is never deleted unless it is forgotten. `pages` is the log of what was
-- observed, in order: a crawl's knowledge is a fold over it, and its items are the crawl's result.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE urls (
    arrival INTEGER PRIMARY KEY,
    key     BLOB NOT NULL UNIQUE,
    host    TEXT NOT NULL,
    record  BLOB NOT NULL       -- JSON: [url, host, depth, [[parent, anchor, context, position, siblings], …], request]
);

-- The places of those that have left memory.
CREATE TABLE settled (
    arrival  INTEGER PRIMARY KEY,
    state    INTEGER NOT NULL,  -- 0 waits in memory, 1 waits on disk, 2 leased, 3 done, 4 dead, 5 evicted, 6 done without a response
    queue    INTEGER NOT NULL,  -- CRC-32 of the host
    rank     REAL NOT NULL,
    epoch    INTEGER NOT NULL,
    attempts INTEGER NOT NULL
);

CREATE INDEX best_of_host ON settled (queue, rank DESC, arrival) WHERE state = 1;

-- The same of those that are in memory, or have left it just now: what stands here counts.
CREATE TABLE news (
    arrival  INTEGER PRIMARY KEY,
    state    INTEGER NOT NULL,
    queue    INTEGER NOT NULL,
    rank     REAL NOT NULL,
    epoch    INTEGER NOT NULL,
    attempts INTEGER NOT NULL
);

CREATE VIEW places AS
    SELECT * FROM news UNION ALL SELECT * FROM settled WHERE arrival NOT IN (SELECT arrival FROM news);

CREATE TABLE pages (
    number  INTEGER PRIMARY KEY,  -- in the order in which they were observed
    arrival INTEGER NOT NULL,     -- in urls
    seen    BLOB NOT NULL,        -- JSON, zlib: a SeenPage
    item    BLOB NOT NULL         -- JSON, zlib; empty where there is none
);
