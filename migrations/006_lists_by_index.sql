-- What a page lists it reads by an index made for the list, and the last use of anything is a column: then no page's cost
-- grows with what one person or one application has done.

alter table grants
  -- since it was given, by the person, on the page of the application
  add column changed_at timestamptz,
  -- room beside each row for the next version of it: a note of the last use then touches no index
  set (fillfactor = 90);
drop index grants_by_user;
create index grants_by_user on grants (user_id, client_id, revoked_at);
create index grants_by_user_and_age on grants (user_id, revoked_at, granted_at, grant_id);

alter table clients
  add column last_used_at timestamptz,
  -- it is refused and unlisted at once, and what people allowed it goes bit by bit
  add column deleted_at timestamptz,
  add constraint clients_deleted_are_over check (deleted_at is null or disabled_at is not null and owner_id is null),
  set (fillfactor = 90);
drop index clients_by_owner;
create index clients_by_owner on clients (owner_id, created_at, client_id) where owner_id is not null;
-- by an expression that no other question uses, or it would be weighed for those, too, and be taken where Postgres believes
-- that one person owns all applications
create index clients_by_age on clients ((created_at at time zone 'UTC'), client_id);
create index clients_deleted on clients (client_id) where deleted_at is not null;

drop index sessions_by_user;
create index sessions_by_user on sessions (user_id, last_used_at);

-- An exchange used to count as a use without being noted.
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
