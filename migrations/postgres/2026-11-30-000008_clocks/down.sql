DROP TABLE heartbeat;
DROP TABLE vacations;

DELETE FROM events WHERE kind IN ('paused', 'resumed', 'left', 'returned', 'near');
ALTER TABLE events
    DROP COLUMN until_at,
    DROP CONSTRAINT events_kind_check,
    ADD CONSTRAINT events_kind_check
        CHECK (kind IN ('setup_placed', 'started', 'offer', 'offer_closed', 'finished'));

DELETE FROM offers WHERE kind = 'pause';
ALTER TABLE offers
    DROP CONSTRAINT offers_kind_check,
    ADD CONSTRAINT offers_kind_check CHECK (kind IN ('draw'));

DROP TABLE clock_entries;
DROP INDEX games_by_near;
ALTER TABLE games
    DROP COLUMN pause_until,
    DROP COLUMN pause_since,
    DROP COLUMN pause_by,
    DROP COLUMN pause_kind,
    DROP COLUMN near_at;
DROP DOMAIN pause_kind;
