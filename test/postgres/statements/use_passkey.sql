with
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select
      $2,
      to_timestamp($3)
    from
      passkeys
      join users on users.user_id = passkeys.user_id
    where
      passkeys.credential_id = $1
      and users.disabled_at is null
      and users.source = 'here'
      and now() < to_timestamp($3)
    on conflict do nothing
    returning
      proof_sha256
  ),
  signed as (
    update passkeys
    set
      sign_count = $4,
      last_used_at = now(),
      last_used_address = $5,
      last_used_agent = $6
    from
      used
    where
      passkeys.credential_id = $1
      and (
        $4 > passkeys.sign_count
        or $4 + passkeys.sign_count = 0
      )
    returning
      passkeys.user_id
  )
select
  (
    select
      user_id
    from
      signed
  ) as user_id,
  exists (
    select
    from
      used
  ) as is_used
