-- After a restore, nobody knows which assertions were used since the backup: those that were made before this time are refused.
alter table clients add column assertions_not_before timestamptz;
