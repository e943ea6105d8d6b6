-- What a request with an `Idempotency-Key` made, written in the transaction that made it.
CREATE TABLE idempotency_keys (
    -- The bytes of a player's identifier, or a digest of what stands for a caller without account.
    caller BLOB NOT NULL CHECK (length(caller) BETWEEN 1 AND 32),
    path TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    -- The digest of the body: the same key with another body is a mistake of the client.
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    resource_id BLOB NOT NULL CHECK (length(resource_id) = 16),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (caller, path, idempotency_key)
) STRICT, WITHOUT ROWID;

-- For removing what is past its day.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
