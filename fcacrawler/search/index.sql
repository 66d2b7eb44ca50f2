-- What a crawl's pages are searched by. All of it is made from the crawl's store and can be made again.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE docs (
    number    INTEGER PRIMARY KEY,  -- of the page in the store
    arrival   INTEGER UNIQUE,       -- of its URL there; NULL where there is no item, or a later page of this URL
    url       TEXT,
    title     TEXT,
    host      TEXT,
    language  TEXT,
    fetched   TEXT,
    relevance REAL,
    relevant  INTEGER,
    same_as   TEXT,                 -- the URL of the page of which it is a copy, else its own
    keywords  TEXT                  -- its best, a line each
);

-- Stems by the page's language, with spaces between: only these divide words. What is not kept is read in the store.
-- A keyword is one word that begins with "=", so that no stem is one.
CREATE VIRTUAL TABLE words USING fts5(
    title, names, text, keywords, content = '',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
