with
  disabled as (
    update clients
    set
      disabled_at = now(),
      disabled_by_owner = true
    where
      client_id = $1
      and is_demo
      and clients.disabled_at is null
  ),
  choice as (
    delete from choices
    where
      name = 'albums'
      and position('latchkey_demo.albums' in query) > 0
      and not exists (
        select
        from
          clients_with_scope ($3, 2) others
        where
          others <> $1
      )
    returning
      scopes
  ),
  scope as (
    delete from scopes using choice
    where
      scopes.name = any (choice.scopes)
  )
update users
set
  is_admin = false
where
  username = $2
  and is_demo
returning
  coalesce(password_hash, password_bcrypt) as password_hash,
  disabled_at
