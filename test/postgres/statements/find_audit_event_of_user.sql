select
  audit_events.happened_at,
  audit_events.event,
  audit_events.user_id,
  audit_events.client_id,
  audit_events.code_id,
  audit_events.request_id,
  audit_events.detail,
  case
    when not coalesce(audit_events.by_user_id <> audit_events.user_id, audit_events.by_system_user is not null) then audit_events.address
  end as address,
  coalesce(audit_events.by_user_id <> audit_events.user_id, audit_events.by_system_user is not null) as by_operator,
  clients.name as client_name,
  clients.vouched as client_vouched,
  concat_ws(
    '-',
    (
      extract(
        epoch
        from
          audit_events.happened_at
      ) * 1000000
    )::bigint,
    audit_events.tableoid::bigint,
    translate(audit_events.ctid::text, ',()', '-')
  ) as key,
  audit_events.happened_at > now() - interval '7 days' as is_of_this_week
from
  audit_events
  left join clients on clients.client_id = audit_events.client_id
where
  audit_events.user_id = $1
  and audit_events.event in (
    'signed_in',
    'sign_in_refused',
    'signed_out',
    'session_ended',
    'current_password_wrong',
    'password_changed',
    'password_reset',
    'reset_link_issued',
    'address_confirmed',
    'account_secured',
    'profile_changed',
    'identity_linked',
    'identity_unlinked',
    'second_factor_added',
    'second_factor_removed',
    'recovery_codes_renewed',
    'passkey_added',
    'passkey_removed',
    'passkey_refused',
    'consent_given',
    'consent_refused',
    'consent_changed',
    'consent_revoked',
    'refresh_token_reused',
    'code_reused',
    'token_leaked'
  )
  and (audit_events.happened_at, audit_events.tableoid::bigint, audit_events.ctid) = (to_timestamp(0) + $2::bigint * interval '1 microsecond', $3::bigint, $4::tid)
