with
  opened as (
    delete from sign_up_links links
    where
      links.token_sha256 = $1
      and (
        links.is_invitation
        or $4
      )
      and links.expires_at > now()
      and links.created_at < now() + interval '1 day'
    returning
      links.address,
      links.detail,
      nextval(pg_get_serial_sequence('users', 'user_id'))::integer as user_id
  ),
  ended as (
    delete from sign_up_links using opened
    where
      folded_name (sign_up_links.address) = folded_name (opened.address)
      and sign_up_links.token_sha256 <> $1
  ),
  remembered as (
    insert into
      used_proofs (proof_sha256, expires_at, detail)
    select
      digest,
      now() + interval '10 minutes',
      opened.detail || jsonb_build_object('user_id', opened.user_id)
    from
      opened,
      unnest($5::bytea[]) digest
    on conflict do nothing
  )
insert into
  users (user_id, username, subject, password_bcrypt, password_hash, email, email_verified)
overriding system value
select
  user_id,
  $2,
  gen_random_uuid()::text,
  case
    when $3 ~ '^\$2[ab]\$' then $3
  end,
  case
    when $3 !~ '^\$2[ab]\$' then $3
  end,
  address,
  true
from
  opened
returning
  user_id,
  concat(
    extract(
      epoch
      from
        users.sessions_ended_at
    ),
    '/' || hashtext (users.registered_password_bcrypt)
  ) as sessions_version
