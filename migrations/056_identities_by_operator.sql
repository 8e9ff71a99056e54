-- Who has linked an identity: whoever is an administrator signs in by those of an operator only, and may have become one since.
alter table identities add column by_operator boolean not null default false;

update identities
set by_operator = true
from users
where users.user_id = identities.user_id
  and users.is_admin;
