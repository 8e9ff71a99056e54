-- Each statement by itself.
-- What a person sees of what happened, and takes back who says "This was not me".

alter table users
  -- when a link of a mail has set the password last: from then on the password proves no more than that somebody reads the mailbox
  add column if not exists password_reset_at timestamptz;

-- For the page of a user: exactly the events that it shows. An index of a partitioned table cannot be built concurrently, but those of
-- its partitions can: the last statement takes them over. The first one removes what a failure has left half built. The previous release
-- reads audit_events_by_user, which a later one drops.
select format('drop index concurrently if exists %I', name || '_for_person')
from audit_partitions
where exists (
  select from pg_class
  join pg_index on indexrelid = pg_class.oid
  where relname = name || '_for_person' and not indisvalid) \gexec

select format('create index concurrently if not exists %I on %I (user_id, happened_at) where event in (%s)', name || '_for_person', name,
  '''signed_in'', ''sign_in_refused'', ''signed_out'', ''session_ended'', ''current_password_wrong'', ''password_changed'', ''password_reset'','
  '''reset_link_issued'', ''address_confirmed'', ''account_secured'', ''profile_changed'', ''identity_linked'', ''identity_unlinked'','
  '''second_factor_added'', ''second_factor_removed'', ''recovery_codes_renewed'', ''passkey_added'', ''passkey_removed'', ''passkey_refused'','
  '''consent_given'', ''consent_refused'', ''consent_changed'', ''consent_revoked'', ''refresh_token_reused'', ''code_reused'', ''token_leaked''')
from audit_partitions \gexec

create index if not exists audit_events_for_person on audit_events (user_id, happened_at)
  where event in ('signed_in', 'sign_in_refused', 'signed_out', 'session_ended', 'current_password_wrong', 'password_changed', 'password_reset',
    'reset_link_issued', 'address_confirmed', 'account_secured', 'profile_changed', 'identity_linked', 'identity_unlinked',
    'second_factor_added', 'second_factor_removed', 'recovery_codes_renewed', 'passkey_added', 'passkey_removed', 'passkey_refused',
    'consent_given', 'consent_refused', 'consent_changed', 'consent_revoked', 'refresh_token_reused', 'code_reused', 'token_leaked');
