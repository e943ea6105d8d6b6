-- Events as streams give them out: numbered without gaps, apart for the players of a game and for all
-- others, who learn nothing of offers. Made before the first release: no node of another one writes
-- the old table.

-- How many events were announced of a game, and how many of them to everyone.
ALTER TABLE games ADD COLUMN announced BIGINT NOT NULL DEFAULT 0 CHECK (announced >= 0);
ALTER TABLE games ADD COLUMN announced_to_all BIGINT NOT NULL DEFAULT 0 CHECK (announced_to_all >= 0);
-- Whether its events were taken away, some time after its end.
ALTER TABLE games ADD COLUMN events_swept BOOLEAN NOT NULL DEFAULT FALSE;
-- The games whose events are to be taken away next.
CREATE INDEX games_by_sweep ON games (finished_at) WHERE finished_at IS NOT NULL AND NOT events_swept;

ALTER TABLE events RENAME TO events_by_seq;
-- The outbox of a game. It refers to the log and repeats neither a rank nor an arrangement, so that
-- nothing can leak from it.
CREATE TABLE events (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- 1, 2, 3, … as its players see it.
    number BIGINT NOT NULL CHECK (number >= 1),
    -- 1, 2, 3, … as all others see it; NULL for what is the players' alone.
    public_number BIGINT CHECK (public_number BETWEEN 1 AND number),
    kind TEXT NOT NULL
        CHECK (kind IN ('setup_placed', 'started', 'move', 'offer', 'offer_closed', 'finished')),
    ply INTEGER,
    color TEXT CHECK (color IN ('red', 'blue')),
    offer_id BYTEA CHECK (octet_length(offer_id) = 16),
    happened_at BIGINT NOT NULL,
    CONSTRAINT events_key PRIMARY KEY (game_id, number)
);
INSERT INTO events
SELECT
    game_id,
    ROW_NUMBER() OVER (PARTITION BY game_id ORDER BY seq),
    CASE WHEN kind NOT IN ('offer', 'offer_closed') THEN
        COUNT(CASE WHEN kind NOT IN ('offer', 'offer_closed') THEN 1 END)
            OVER (PARTITION BY game_id ORDER BY seq)
    END,
    kind, ply, color, offer_id, happened_at
FROM events_by_seq;
DROP TABLE events_by_seq;
UPDATE games SET
    announced = (SELECT COUNT(*) FROM events WHERE game_id = games.id),
    announced_to_all = (SELECT COUNT(public_number) FROM events WHERE game_id = games.id);

-- What a player's own stream has still to number: the events of his games and challenges. Written
-- with the change itself, by many at once, so without a number that they would wait for. It refers to
-- its player without a constraint, which would lock him with every move; players are never deleted.
CREATE TABLE player_outbox (
    player_id BYTEA NOT NULL,
    -- The game or the challenge.
    source_id BYTEA NOT NULL CHECK (octet_length(source_id) = 16),
    -- Of a game the number of its event; of a challenge 1 when it was made and 2 when it was closed.
    source_number BIGINT NOT NULL CHECK (source_number >= 1),
    source TEXT NOT NULL CHECK (source IN ('game', 'challenge')),
    happened_at BIGINT NOT NULL,
    CONSTRAINT player_outbox_key PRIMARY KEY (player_id, source_id, source_number)
);

-- A player's own stream, numbered without gaps when it is first looked at.
CREATE TABLE player_events (
    player_id BYTEA NOT NULL,
    number BIGINT NOT NULL CHECK (number >= 1),
    source_id BYTEA NOT NULL CHECK (octet_length(source_id) = 16),
    source_number BIGINT NOT NULL CHECK (source_number >= 1),
    source TEXT NOT NULL CHECK (source IN ('game', 'challenge')),
    happened_at BIGINT NOT NULL,
    CONSTRAINT player_events_key PRIMARY KEY (player_id, number)
);

-- How far a player's stream is numbered. The row is locked by whoever numbers.
CREATE TABLE player_feeds (
    player_id BYTEA NOT NULL REFERENCES players (id),
    announced BIGINT NOT NULL CHECK (announced >= 0),
    CONSTRAINT player_feeds_key PRIMARY KEY (player_id)
);

-- What opens a stream once in place of an access token, for browsers, which send no header there.
CREATE TABLE event_tickets (
    player_id BYTEA NOT NULL REFERENCES players (id),
    -- The digest of the ticket.
    hash BYTEA NOT NULL CHECK (octet_length(hash) = 32),
    expires_at BIGINT NOT NULL,
    -- When a stream that was opened with it ends, with the access token that it stands for.
    stream_until BIGINT NOT NULL,
    CONSTRAINT event_tickets_key PRIMARY KEY (player_id, hash)
);
-- For taking away those that were never used.
CREATE INDEX event_tickets_by_expiry ON event_tickets (expires_at);
