insert into
  mails (kind, user_id, sealed)
values
  ($1, $2, $3)
