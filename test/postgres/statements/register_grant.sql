with
  person as (
    select
      user_id
    from
      users
    where
      user_id = $2
      and users.disabled_at is null
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $16
    for share
  ),
  first_answer as (
    insert into
      consent_decisions (ticket_sha256)
    select
      $1
    from
      person
    on conflict do nothing
    returning
      ticket_sha256
  ),
  unticked as (
    update grants
    set
      changed_at = now(),
      scopes = array(
        select
          scope
        from
          unnest(grants.scopes) scope
        where
          scope <> all ($5::text[])
      ),
      refused_scopes = grants.refused_scopes || array(
        select
          scope
        from
          unnest(grants.scopes) scope
        where
          scope = any ($5::text[])
      )
    from
      first_answer
    where
      $7 = 'once'
      and user_id = $2
      and client_id = $3
      and revoked_at is null
      and duration <> 'once'
      and grants.scopes && $5::text[]
  ),
  replaced as (
    update grants
    set
      revoked_at = now()
    from
      first_answer
    where
      $7 = 'once'
      and user_id = $2
      and client_id = $3
      and revoked_at is null
      and duration = 'once'
  ),
  granted as (
    insert into
      grants (
        user_id,
        client_id,
        scopes,
        refused_scopes,
        redirect_uris,
        duration,
        gives_username,
        decided,
        choices,
        silent,
        client_name,
        expires_at
      )
    select
      $2,
      $3,
      $4::text[],
      $5::text[],
      $6::text[],
      $7,
      $9,
      $10::text[],
      $17::jsonb,
      $18,
      (
        select
          name
        from
          clients
        where
          client_id = $3
      ),
      case $7
        when '30d' then now() + interval '30 days'
        when 'once' then now() + make_interval(secs => $8)
      end
    from
      first_answer
    on conflict (user_id, client_id)
    where
      revoked_at is null
      and duration <> 'once' do update
    set
      scopes = excluded.scopes || array(
        select
          scope
        from
          unnest(grants.scopes) scope
        where
          scope <> all (excluded.scopes || excluded.refused_scopes)
      ),
      refused_scopes = excluded.refused_scopes || array(
        select
          scope
        from
          unnest(grants.refused_scopes) scope
        where
          scope <> all (excluded.scopes || excluded.refused_scopes)
      ),
      redirect_uris = excluded.redirect_uris,
      gives_username = grants.gives_username
      or excluded.gives_username,
      to_confirm = array(
        select
          scope
        from
          unnest(
            case
              when excluded.redirect_uris <@ grants.redirect_uris then grants.to_confirm
              else grants.scopes || grants.refused_scopes
            end
          ) scope
        where
          scope <> all (excluded.scopes || excluded.refused_scopes)
      ),
      -- a scope that was refused at another resource and is granted here must be asked for there again
      decided = excluded.decided || array(
        select
          one
        from
          unnest(grants.decided) one
          cross join split_part(translate(one, '#', '@'), '@', 1) scope
        where
          one <> all (excluded.decided)
          and not (
            scope = any (grants.refused_scopes)
            and scope = any (excluded.scopes)
          )
      ),
      choices = coalesce(grants.choices || excluded.choices, excluded.choices, grants.choices),
      granted_at = now(),
      (silent, client_name) = (
        select
          excluded.silent,
          excluded.client_name
      ),
      -- a form that showed only a part of the scopes does not extend the others: the earlier end counts; null is no end
      (duration, expires_at) = (
        select
          case
            when ends is null then 'always'
            else '30d'
          end,
          ends
        from
          (
            select
              case
                when grants.scopes <@ (excluded.scopes || excluded.refused_scopes) then excluded.expires_at
                else least(grants.expires_at, excluded.expires_at)
              end as ends
          ) nearer
      )
    returning
      grant_id,
      user_id,
      client_id
  ),
  consent_given as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_given',
      user_id,
      client_id,
      null,
      $15,
      $11,
      $12,
      acting_administrator ($13::bytea)
    from
      granted
  ),
  consent_given_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $14::bytea
    from
      granted
    where
      $14::bytea is not null
  )
select
  grant_id
from
  granted
