select
  coalesce(users.password_reset_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at), true)
  and coalesce(users.password_hash, users.password_bcrypt) is not null as is_removable,
  added.parts
from
  (
    select
      $1::integer as user_id,
      null::jsonb as detail,
      $2::timestamptz as created_at
  ) links
  join users on users.user_id = links.user_id
  cross join lateral (
    select
      json_agg(
        json_build_object('by', by, 'name', name, 'at', created_at)
        order by
          created_at
      ) as parts
    from
      (
        select
          'app' as by,
          null as name,
          created_at
        from
          totp_factors
        where
          totp_factors.user_id = links.user_id
          and not totp_factors.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
        union all
        select
          'passkey',
          name,
          created_at
        from
          passkeys
        where
          passkeys.user_id = links.user_id
          and not passkeys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
          and (
            not passkeys.user_verified
            or not (
              exists (
                select
                from
                  totp_factors
                where
                  totp_factors.user_id = links.user_id
                  and true
              )
              or exists (
                select
                from
                  passkeys
                where
                  passkeys.user_id = links.user_id
                  and passkeys.rp_id = $3
                  and (
                    passkeys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
                    or not passkeys.user_verified
                  )
              )
            )
          )
        union all
        select
          'codes',
          null,
          max(created_at)
        from
          recovery_codes
        where
          recovery_codes.user_id = links.user_id
          and not recovery_codes.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
          and not (
            exists (
              select
              from
                totp_factors
              where
                totp_factors.user_id = links.user_id
                and true
            )
            or exists (
              select
              from
                passkeys
              where
                passkeys.user_id = links.user_id
                and passkeys.rp_id = $3
            )
          )
        having
          count(*) > 0
      ) as parts
  ) as added
where
  users.second_factor_since is not null
  and added.parts is not null
