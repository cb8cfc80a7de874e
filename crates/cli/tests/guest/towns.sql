-- Builds a database from a table, and asks it. The log is mapped by all who have the database open.
PRAGMA journal_mode=wal;
.mode csv
.import /in/people.csv people
CREATE INDEX by_town ON people(town);
BEGIN;
UPDATE people SET age = age + 1 WHERE town = 'town3';
ROLLBACK;
.mode list
SELECT town, count(*), sum(age) FROM people GROUP BY town ORDER BY town;
PRAGMA integrity_check;
PRAGMA wal_checkpoint(TRUNCATE);
