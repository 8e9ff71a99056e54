select
  mail_id,
  sent_at,
  sealed_copy
from
  mails
where
  sealed_copy is not null
order by
  sent_at desc
limit
  $1
