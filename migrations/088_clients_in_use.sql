-- What makes a client used by somebody, so that it is not swept although it may have registered itself and asks for nothing.

-- also for `on delete set null`
create index resources_by_client on resources (client_id);
-- they live for minutes, so there are few
create index pushed_requests_by_client on pushed_requests (client_id);

create view clients_in_use as
  select client_id from grants
  union all
  select client_id from resources where client_id is not null
  union all
  -- somebody may be on the way here with it
  select client_id from pushed_requests
  union all
  -- it asks about tokens of others, or somebody looks after it
  select client_id from clients where resource_server or owner_id is not null;
