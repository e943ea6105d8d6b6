-- Mail: which addresses are their owners', what waits to be sent, the tokens that mails carry, and how
-- far each player was told.

-- The address that was found to be the player's, in the form in which addresses are compared; NULL
-- until then, and again when another is set. Two accounts may have the same.
ALTER TABLE players ADD COLUMN verified_email TEXT
    CHECK (verified_email IS NULL OR email IS NOT NULL);
-- The accounts of an address.
CREATE INDEX players_by_verified_email ON players (verified_email) WHERE verified_email IS NOT NULL;

-- How far a player was told by mail. It is there from the first address that was verified.
CREATE TABLE mail_state (
    player_id BLOB NOT NULL REFERENCES players (id),
    -- Counts the changes: of two nodes that saw the same state one changes it.
    version INTEGER NOT NULL CHECK (version >= 0),
    -- What the links that stop a kind of mail are signed with.
    unsubscribe_key BLOB NOT NULL CHECK (length(unsubscribe_key) = 32),
    -- Turns that began until then were told.
    turns_told INTEGER NOT NULL,
    -- When the last mail of a kind was made; NULL when there was none.
    turns_mailed_at INTEGER,
    near_mailed_at INTEGER,
    -- When the next digest is due; NULL when there is to be none.
    digest_at INTEGER,
    -- The day of the last digest in the player's time zone, in days since 1970.
    digest_day INTEGER,
    -- Until when the last digest told.
    digest_told INTEGER NOT NULL,
    CONSTRAINT mail_state_key PRIMARY KEY (player_id)
) STRICT, WITHOUT ROWID;
-- The digests that are due.
CREATE INDEX mail_state_by_digest ON mail_state (digest_at) WHERE digest_at IS NOT NULL;

-- The turns whose end was told to be near.
CREATE TABLE mail_near (
    player_id BLOB NOT NULL REFERENCES players (id),
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- The turn: the number of moves before it, -1 while the armies are placed.
    ply INTEGER NOT NULL CHECK (ply >= -1),
    told_at INTEGER NOT NULL,
    CONSTRAINT mail_near_key PRIMARY KEY (player_id, game_id)
) STRICT, WITHOUT ROWID;
-- For taking away what was told long ago.
CREATE INDEX mail_near_by_time ON mail_near (told_at);

-- Mails that were asked for and are not sent yet. The token that such a mail carries is drawn when it is
-- sent: it stands nowhere.
CREATE TABLE mail_outbox (
    player_id BLOB NOT NULL REFERENCES players (id),
    kind TEXT NOT NULL CHECK (kind IN ('verify', 'reset', 'password_changed')),
    asked_at INTEGER NOT NULL,
    -- When it is to be tried next. Whoever tries it moves this ahead first.
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    CONSTRAINT mail_outbox_key PRIMARY KEY (player_id, kind)
) STRICT, WITHOUT ROWID;
-- What is due.
CREATE INDEX mail_outbox_by_time ON mail_outbox (due_at);

-- The tokens of mails, by their digest. They are kept for a day: they also count the mails.
CREATE TABLE mail_tokens (
    player_id BLOB NOT NULL REFERENCES players (id),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    kind TEXT NOT NULL CHECK (kind IN ('verify', 'reset')),
    -- The address that the mail went to, in the form in which addresses are compared.
    address TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    CONSTRAINT mail_tokens_key PRIMARY KEY (player_id, hash)
) STRICT, WITHOUT ROWID;
-- How many went to an address.
CREATE INDEX mail_tokens_by_address ON mail_tokens (address, created_at);
-- For taking them away.
CREATE INDEX mail_tokens_by_time ON mail_tokens (created_at);

-- Addresses for which somebody asked for a new password. Whether they are any account's is looked up
-- later, so that nobody learns it by asking; so there is no player to begin the key with.
CREATE TABLE mail_reset_requests (
    address TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    CONSTRAINT mail_reset_requests_key PRIMARY KEY (address)
) STRICT, WITHOUT ROWID;
