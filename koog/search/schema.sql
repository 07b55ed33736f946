-- The index: what lies in which lines of which file. Derived from the files; a passage's text is not stored, but for
-- that of rules: the files are the truth. Read by search/database.py, which also sets application_id and user_version.

-- What a folder looked like when all of its files were as they are indexed (see sources.Folder.listing); NULL when one
-- was not. Equal now means: nothing to do here, without looking at its files' rows.
CREATE TABLE folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, listing BLOB);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    folder INTEGER NOT NULL,
    path TEXT NOT NULL UNIQUE,  -- as it is cited; a BLOB when it is not UTF-8
    category TEXT NOT NULL,
    title TEXT NOT NULL,
    date TEXT,                  -- ISO day
    tags TEXT NOT NULL,         -- JSON array
    size INTEGER NOT NULL,      -- bytes
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    hash BLOB NOT NULL,         -- of the bytes
    tokens INTEGER NOT NULL,    -- estimate
    lines INTEGER NOT NULL,
    indexed INTEGER NOT NULL,   -- nanoseconds since the epoch, before the file was read
    first INTEGER NOT NULL,     -- its passages are first to first + passages - 1
    passages INTEGER NOT NULL,
    skipped TEXT,               -- why it has none, or not all, although it is there
    own TEXT                    -- its own name where a link leads to it, else NULL
);
CREATE INDEX files_folder ON files (folder, passages);  -- also for the sum of all passages
CREATE INDEX files_skipped ON files (id) WHERE skipped IS NOT NULL;

-- Ids are consecutive within a file, in the order of lines: a neighbour is id ± 1 with the same file.
CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    line INTEGER NOT NULL,      -- first line, from 1
    end INTEGER NOT NULL,       -- last line
    section INTEGER NOT NULL,   -- ordinal of its heading in the file
    heading TEXT NOT NULL,      -- "Title › H2 › H3"
    speaker TEXT NOT NULL,
    date TEXT,                  -- ISO day
    words INTEGER NOT NULL,     -- about how many it has
    asks INTEGER NOT NULL       -- 1 when it ends with a question mark
);

-- Whose a passage is, where its lines say so (search/labelled.py); one that is not here is its file's.
CREATE TABLE labelled (
    id INTEGER PRIMARY KEY,     -- of the passage
    project TEXT NOT NULL,
    scope TEXT NOT NULL,
    "group" TEXT NOT NULL,      -- "" in private
    kind TEXT NOT NULL,         -- of a rule about the person (sessions/person.py), and its words; else both ""
    said TEXT NOT NULL
);

-- The words that passages have had, as they were written but in lower case: where one of a query is found nowhere, those
-- that share a run of its letters stand for it. A word whose passages are gone may stay.
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;

-- head: headings, speaker and day. Both are spaced by core/text/words.py.
CREATE VIRTUAL TABLE passages_fts USING fts5(
    text, head, content='', contentless_delete=1, tokenize='porter unicode61'
);
