-- Logins that are over are taken away after a while: found without reading those that last.
CREATE INDEX refresh_families_by_expiry ON refresh_families (expires_at);
CREATE INDEX refresh_families_by_end ON refresh_families (ended_at) WHERE ended_at IS NOT NULL;
