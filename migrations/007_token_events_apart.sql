-- The two events that every exchange and every refresh writes get a table of their own, below audit_events: who reads
-- that one reads both. Each index and each check of a table costs every insert, and of those that audit_events has these
-- events need one: a person's events in the order of time. They have no detail, so none that could hold a secret.

alter table audit_events
  drop constraint audit_events_hold_no_secret,
  add constraint audit_events_hold_no_secret check (detail !~ 'lk_(at|rt|ac|cs)_') no inherit;

create table audit_token_events (
  constraint audit_token_events_have_no_detail check (detail is null)
) inherits (audit_events);
create index audit_token_events_by_user on audit_token_events (user_id, happened_at);
create trigger audit_token_events_append_only before update or delete or truncate on audit_token_events
  for each statement execute function refuse_to_change_history();
