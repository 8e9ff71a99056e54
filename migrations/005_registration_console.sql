-- For the console of developers.

create index clients_by_owner on clients (owner_id) where owner_id is not null;

-- A client that an operator has disabled cannot be enabled by its owner.
alter table clients add column disabled_by_owner boolean not null default false;
