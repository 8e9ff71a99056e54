with
  ways as (
    select
      issuer,
      subject
    from
      identities
    where
      user_id = $1
    order by
      issuer,
      subject
    for update
  ),
  unlinked as (
    delete from identities using ways
    where
      identities.issuer = ways.issuer
      and identities.subject = ways.subject
      and ways.issuer = $2
      and ways.subject = $3
      and (
        exists (
          select
          from
            users
          where
            user_id = $1
            and (
              $4
              and coalesce(password_hash, password_bcrypt) is not null
              or $7
              and source = 'website'
            )
        )
        or exists (
          select
          from
            ways others
            join providers on others.issuer = any (providers.issuers)
          where
            (others.issuer, others.subject) <> ($2, $3)
            and providers.disabled_at is null
        )
      )
    returning
      identities.user_id
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, detail, request_id, address)
    select
      'identity_unlinked',
      user_id,
      $2,
      $5,
      $6
    from
      unlinked
  )
select
  user_id
from
  unlinked
