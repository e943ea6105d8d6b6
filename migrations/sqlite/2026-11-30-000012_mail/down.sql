DROP TABLE mail_reset_requests;
DROP TABLE mail_tokens;
DROP TABLE mail_outbox;
DROP TABLE mail_near;
DROP TABLE mail_state;
DROP INDEX players_by_verified_email;
ALTER TABLE players DROP COLUMN verified_email;
