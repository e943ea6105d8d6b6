DROP INDEX refresh_families_by_end;
DROP INDEX refresh_families_by_expiry;
