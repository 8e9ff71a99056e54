with
  person as (
    select
      user_id
    from
      users
    where
      user_id = $1
      and users.disabled_at is null
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $8
    for share
  ),
  shown as (
    select
      grants.grant_id,
      array(
        select
          scope
        from
          unnest(grants.scopes || grants.refused_scopes) scope
        where
          scope = any ($3)
      ) as chosen,
      array(
        select
          scope
        from
          unnest(clients.required_scopes) scope
        where
          scope = any (grants.scopes)
      ) <@ $3 as has_required,
      array(
        select distinct
          '#' || name
        from
          grants every,
          jsonb_each($9::jsonb) replaced (name, value)
        where
          coalesce(every.choices -> name, '[]') <> value
          and every.user_id = $1
          and every.client_id = $2
          and every.revoked_at is null
          and (
            every.expires_at is null
            or every.expires_at > now()
          )
      ) as replaced
    from
      person
      join grants on grants.user_id = person.user_id
      join clients on clients.client_id = grants.client_id
    where
      grants.client_id = $2
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
      ),
      choices = coalesce(choices || $9::jsonb, nullif($9::jsonb, '{}'))
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
      and (
        not (
          grants.scopes <@ $3
          and not grants.refused_scopes && $3
        )
        or exists (
          select
          from
            jsonb_each($9::jsonb) replaced (name, value)
          where
            coalesce(grants.choices -> name, '[]') <> value
        )
      )
    returning
      grants.user_id,
      grants.client_id
  ),
  changes as (
    select distinct
      changed.user_id,
      changed.client_id,
      array_to_string(shown.chosen || shown.replaced, ' ') as detail
    from
      changed,
      shown
  ),
  consent_changed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_changed',
      user_id,
      client_id,
      null,
      detail,
      $5,
      $6,
      acting_administrator ($7::bytea)
    from
      changes
  )
select
  has_required,
  (
    select
      detail
    from
      changes
  )
from
  shown
