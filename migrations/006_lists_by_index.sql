-- Indexes for each list of the pages, and columns for the last use, so that the cost of a page does not grow with the history of
-- a user or client.

alter table grants
  -- by the user, after it was granted
  add column changed_at timestamptz,
  -- free space in each page for HOT updates, so that writing last_used_at updates no index
  set (fillfactor = 90);
drop index grants_by_user;
create index grants_by_user on grants (user_id, client_id, revoked_at);
create index grants_by_user_and_age on grants (user_id, revoked_at, granted_at, grant_id);

alter table clients
  add column last_used_at timestamptz,
  -- from then on it is refused and not listed; the sweep deletes its grants a few at a time
  add column deleted_at timestamptz,
  add constraint clients_deleted_are_over check (deleted_at is null or disabled_at is not null and owner_id is null),
  set (fillfactor = 90);
drop index clients_by_owner;
create index clients_by_owner on clients (owner_id, created_at, client_id) where owner_id is not null;
-- by an expression, so that the planner cannot choose this index for the list of one owner, where its statistics say that one
-- user owns all clients
create index clients_by_age on clients ((created_at at time zone 'UTC'), client_id);
create index clients_deleted on clients (client_id) where deleted_at is not null;

drop index sessions_by_user;
create index sessions_by_user on sessions (user_id, last_used_at);

-- Until now, the exchange of a code was not recorded as a use.
update grants
set last_used_at = exchanged.at
from (
  select grant_id, max(redeemed_at) as at
  from authorization_codes
  group by grant_id) exchanged
where exchanged.grant_id = grants.grant_id
  and grants.revoked_at is null
  and exchanged.at > coalesce(grants.last_used_at, '-infinity');

update clients
set last_used_at = used.at
from (
  select client_id, max(last_used_at) as at
  from grants
  group by client_id) used
where used.client_id = clients.client_id;
