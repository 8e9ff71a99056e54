-- Whose link a form has used, and where the person went on: a second click goes the same way.
alter table used_proofs add column detail jsonb;
