-- Where a player is told of his events besides his own stream: webhooks, and browsers by Web Push. Each is
-- a cursor in that stream, so that nothing is lost when a node dies.
CREATE TABLE subscriptions (
    player_id BLOB NOT NULL REFERENCES players (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    channel TEXT NOT NULL CHECK (channel IN ('webhook', 'push')),
    url TEXT NOT NULL,
    -- What the receiver shares with the server: a webhook's is signed with, a browser's encrypted with.
    secret BLOB NOT NULL,
    -- Of a browser.
    public_key BLOB CHECK (length(public_key) = 65),
    -- The kinds of events that are wanted, with commas between.
    kinds TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- How many events of the stream the receiver has, those included that it did not want.
    told INTEGER NOT NULL CHECK (told >= 0),
    -- How often the next event failed to be delivered, since when, and how it did last.
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    failing_since INTEGER,
    last_error TEXT,
    delivered_at INTEGER,
    disabled_at INTEGER,
    -- When somebody has to look at it by himself: to try again, or because who tells it may have died.
    due_at INTEGER,
    -- Drawn by the node that tells it at the moment.
    lease BLOB CHECK (length(lease) = 16),
    CONSTRAINT subscriptions_key PRIMARY KEY (player_id, id),
    CHECK ((public_key IS NOT NULL) = (channel = 'push'))
) STRICT, WITHOUT ROWID;
-- Those that are due.
CREATE INDEX subscriptions_by_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;
