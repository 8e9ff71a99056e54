with
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select distinct
      on (proof_sha256) proof_sha256,
      to_timestamp(expires_at)
    from
      (
        select
          proof_sha256,
          expires_at,
          position
        from
          unnest($1::bytea[], $2::bigint[]) with ordinality parameters (proof_sha256, expires_at, position)
        where
          position between 1 and 500
      ) requests
    where
      to_timestamp(expires_at) > now()
    on conflict do nothing
    returning
      proof_sha256
  )
select
  min(position) as position,
  null as fault
from
  (
    select
      proof_sha256,
      expires_at,
      position
    from
      unnest($1::bytea[], $2::bigint[]) with ordinality parameters (proof_sha256, expires_at, position)
    where
      position between 1 and 500
  ) requests
  join used using (proof_sha256)
group by
  proof_sha256
union all
select
  position,
  'too old'
from
  (
    select
      proof_sha256,
      expires_at,
      position
    from
      unnest($1::bytea[], $2::bigint[]) with ordinality parameters (proof_sha256, expires_at, position)
    where
      position between 1 and 500
  ) requests
where
  to_timestamp(expires_at) <= now()
