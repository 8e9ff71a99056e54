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
