select
  user_id,
  password_bcrypt,
  highest_cost
from
  (
    select
      max(substr(password_bcrypt, 5, 2)::integer) as highest_cost
    from
      users
    where
      users.disabled_at is null
      and substr(password_bcrypt, 5, 2)::integer > 12
  ) costs
  left join users on username = $1
  and users.disabled_at is null
