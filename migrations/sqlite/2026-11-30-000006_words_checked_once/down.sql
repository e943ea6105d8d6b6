-- SQLite reads a CHECK when it prepares a statement: there is nothing to do.
SELECT 1;
