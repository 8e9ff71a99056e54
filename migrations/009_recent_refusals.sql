-- Recent refusals of each client, for its owner. Unlogged, because the log of the operator has the same information.

create unlogged table refusals (
  client_id text not null references clients on delete cascade,
  refusal_id bigint generated always as identity,
  happened_at timestamptz not null default now(),
  request_id text not null,
  -- method and path
  request text not null,
  error text not null,
  reason text not null,
  -- the refused one, if it was the reason
  redirect_uri text,
  primary key (client_id, refusal_id),
  -- no version of this program can store a secret here by mistake
  constraint refusals_hold_no_secret check (concat_ws(' ', request, reason, redirect_uri) !~* 'lk_(at|rt|ac|cs)_')
);
