-- What was refused to each application lately and why, for its owner. The log of the operator holds the same for good, so
-- that losing this in a crash costs nothing, and the least of it reaches the disk.

create unlogged table refusals (
  client_id text not null references clients on delete cascade,
  refusal_id bigint generated always as identity,
  happened_at timestamptz not null default now(),
  request_id text not null,
  -- method and path
  request text not null,
  error text not null,
  reason text not null,
  -- the one that was refused, where that was the reason
  redirect_uri text,
  primary key (client_id, refusal_id),
  -- whatever a later version writes here, it cannot be one of our secrets
  constraint refusals_hold_no_secret check (concat_ws(' ', request, reason, redirect_uri) !~* 'lk_(at|rt|ac|cs)_')
);
