DROP TABLE audit_log;
DROP INDEX challenges_declined_with_a_word;
DROP TABLE player_blocks;
DROP TABLE personal_tokens;
ALTER TABLE event_tickets DROP COLUMN credential_id;
ALTER TABLE refresh_families DROP COLUMN user_agent;
ALTER TABLE players DROP COLUMN suspended_at;
ALTER TABLE players DROP COLUMN is_admin;
