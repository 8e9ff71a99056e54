-- What the pages for developers need: their applications by owner, and a change that leaves the secrets alone.

create index clients_by_owner on clients (owner_id) where owner_id is not null;

-- What an operator has disabled, its owner must not enable again.
alter table clients add column disabled_by_owner boolean not null default false;
