with
  shown as (
    select
      position,
      proof_sha256,
      to_timestamp(expires_at) as proof_expires_at,
      true as is_due
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
  ),
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select distinct
      on (proof_sha256) proof_sha256,
      proof_expires_at
    from
      shown
    where
      is_due
      and now() < proof_expires_at
    order by
      proof_sha256
    on conflict do nothing
    returning
      proof_sha256
  )
select
  position,
  case
    when not is_due then null
    when proof_expires_at <= now() then 'too old'
    when proof_sha256 not in (
      select
        proof_sha256
      from
        used
    ) then 'repeated'
    when position > min(position) over (
      partition by
        proof_sha256,
        is_due
    ) then 'repeated'
  end as fault
from
  shown
