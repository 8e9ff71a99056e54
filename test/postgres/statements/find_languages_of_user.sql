select
  language,
  chosen_language
from
  users
where
  user_id = $1
