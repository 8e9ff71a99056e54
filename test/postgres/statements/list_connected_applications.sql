select
  clients.client_id,
  clients.name,
  clients.site_domain,
  clients.homepage_uri,
  clients.policy_uri,
  clients.tos_uri,
  clients.created_at,
  clients.vouched,
  clients.required_scopes,
  clients.scope_reasons,
  listed.scopes,
  listed.refused_scopes,
  listed.gives_username,
  listed.decided,
  listed.choices,
  listed.grant_id || '.' || extract(
    epoch
    from
      greatest(listed.granted_at, listed.changed_at)
  ) as version,
  listed.silent,
  listed.duration,
  listed.granted_at,
  listed.expires_at,
  listed.last_used_at,
  listed.grant_id,
  listed.revoked_at is null
  and (
    listed.expires_at is null
    or listed.expires_at > now()
  )
  and clients.deleted_at is null
  and not (
    listed.duration = 'once'
    and exists (
      select
      from
        grants other
      where
        other.user_id = listed.user_id
        and other.client_id = listed.client_id
        and other.revoked_at is null
        and (
          other.expires_at is null
          or other.expires_at > now()
        )
        and (
          other.duration <> 'once'
          or other.grant_id > listed.grant_id
        )
    )
  ) as is_shown
from
  (
    select
      *
    from
      grants
    where
      user_id = $1
      and grants.revoked_at is null
      and (granted_at, grant_id) < (
        coalesce(
          (
            select
              case
                when user_id = $1 then granted_at
              end
            from
              grants
            where
              grant_id = $2
          ),
          'infinity'
        ),
        coalesce($2, 0)
      )
    order by
      revoked_at desc,
      granted_at desc,
      grant_id desc
    limit
      $3
  ) listed
  join clients on clients.client_id = listed.client_id
order by
  listed.granted_at desc,
  listed.grant_id desc
