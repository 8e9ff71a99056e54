with
  invitation as (
    update invitations
    set
      uses_left = uses_left - 1
    where
      token_sha256 = $3
      and uses_left > 0
      and expires_at > now()
    returning
      invitation_id
  ),
  registered as (
    select
      keep_client (without_foreign_links ($1), 'application') as client_id
    from
      invitation
  )
insert into
  self_registrations (client_id, token_sha256)
select
  client_id,
  $2
from
  registered
returning
  client_id
