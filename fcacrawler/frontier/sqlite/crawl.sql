-- One crawl. `urls` is the frontier: a URL is never deleted unless it is forgotten. `pages` is the log of what was
-- observed, in order: a crawl's knowledge is a fold over it, and its items are the crawl's result.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE urls (
    arrival INTEGER PRIMARY KEY,
    key     BLOB NOT NULL UNIQUE,
    queue   INTEGER NOT NULL,   -- 47 bits of a digest of the host
    host    TEXT NOT NULL,
    record  BLOB NOT NULL       -- JSON: [url, host, depth, [[parent, anchor, context, position, siblings], …], request]
);

-- What is in memory: see log.py. A URL's last row counts, unless that says that it has left.
CREATE TABLE log (
    number  INTEGER PRIMARY KEY,
    rows    BLOB NOT NULL,      -- queue, arrival, state (0 waits, 2 is leased, else it has left), rank, epoch, attempts
    found   BLOB NOT NULL       -- JSON: [[arrival, depth, [[parent, …], …]], …]: links that its record lacks
);

-- The places of those that have left memory of late: what stands here counts.
CREATE TABLE news (
    queue    INTEGER NOT NULL,
    arrival  INTEGER NOT NULL,
    state    INTEGER NOT NULL,  -- 1 waits, 3 done, 4 dead, 5 evicted, 6 done without a response
    rank     REAL NOT NULL,
    epoch    INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (queue, arrival)
) WITHOUT ROWID;

-- The places of all others that have ever left it.
CREATE TABLE settled (
    queue    INTEGER NOT NULL,
    arrival  INTEGER NOT NULL,
    state    INTEGER NOT NULL,
    rank     REAL NOT NULL,
    epoch    INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (queue, arrival)
) WITHOUT ROWID;

-- With all columns, so that only the index is read.
CREATE INDEX best_news ON news (queue, rank DESC, arrival, epoch, attempts, state) WHERE state = 1;
CREATE INDEX best_settled ON settled (queue, rank DESC, arrival, epoch, attempts, state) WHERE state = 1;

-- Where everything is, but for what is in memory.
CREATE VIEW places AS
    SELECT * FROM news UNION ALL
    SELECT * FROM settled s WHERE NOT EXISTS (SELECT 1 FROM news n WHERE n.queue = s.queue AND n.arrival = s.arrival);

CREATE TABLE pages (
    number  INTEGER PRIMARY KEY,  -- in the order in which they were observed
    arrival INTEGER NOT NULL,     -- in urls
    seen    BLOB NOT NULL,        -- JSON, zlib: a SeenPage; behind it the weights of its terms, eight bytes each
    item    BLOB NOT NULL         -- JSON, zlib; empty where there is none
);
