-- Whether a host name is as short as DNS demands: 253 characters, 63 for each label [1035 §2.3.4]. What is longer need not be looked at.
create or replace function fits_dns(host text) returns boolean language sql immutable as $$
  select case when length(host) > 253 then false else host !~ '[^.]{64}' end
$$;
