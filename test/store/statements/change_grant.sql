with
  shown as (
    select
      grants.grant_id,
      array(
        select
          scope
        from
          unnest(clients.required_scopes) scope
        where
          scope = any (grants.scopes)
      ) <@ $3 as has_required
    from
      grants
      join clients on clients.client_id = grants.client_id
    where
      grants.user_id = $1
      and grants.client_id = $2
      and grants.revoked_at is null
      and (
        grants.expires_at is null
        or grants.expires_at > now()
      )
      and grants.grant_id || '.' || extract(
        epoch
        from
          greatest(grants.granted_at, grants.changed_at)
      ) = $4
    for no key update of
      grants
  ),
  changed as (
    update grants
    set
      changed_at = now(),
      scopes = array(
        select
          scope
        from
          unnest(grants.scopes || grants.refused_scopes) scope
        where
          scope = any ($3)
      ),
      refused_scopes = array(
        select
          scope
        from
          unnest(grants.scopes || grants.refused_scopes) scope
        where
          scope <> all ($3)
      )
    from
      shown
    where
      shown.has_required
      and grants.user_id = $1
      and grants.client_id = $2
      and grants.revoked_at is null
      and (
        grants.expires_at is null
        or grants.expires_at > now()
      )
    returning
      grants.grant_id,
      grants.scopes
  )
select
  changed.scopes
from
  shown
  left join changed on changed.grant_id = shown.grant_id
