with
  sent as (
    update mails
    set
      sealed = null,
      sealed_copy = $3,
      problem = null,
      sent_at = now()
    where
      mail_id = $1
      and tries = $2
    returning
      mail_id
  ),
  ended_links as (
    delete from mailed_links older using sent,
    mailed_links links
    where
      links.token_sha256 = $4
      and links.purpose in ('reset', 'address')
      and older.user_id = links.user_id
      and older.purpose = links.purpose
      and older.token_sha256 <> links.token_sha256
      and older.created_at <= links.created_at
      and not (
        older.purpose = 'reset'
        and older.account_sha256 is null
      )
  ),
  ended_sign_ups as (
    delete from sign_up_links older using sent,
    sign_up_links links
    where
      links.token_sha256 = $4
      and folded_name (older.address) = folded_name (links.address)
      and older.is_invitation = links.is_invitation
      and older.token_sha256 <> links.token_sha256
      and older.created_at <= links.created_at
  )
select
  mail_id
from
  sent
