delete from mails
where
  mail_id = $1
  and tries = $2
