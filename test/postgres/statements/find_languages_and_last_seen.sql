select
  language,
  chosen_language,
  seen_on::text
from
  users
where
  user_id = $1
