-- Numbers that were the `sub` of people who were deleted. Applications remember such a number for longer than the row is kept.
create table ended_numbers (
  number text primary key,
  -- the number of the person's row, and so nobody's again; false: an operator had given it as a subject, and may give it again
  is_of_row boolean not null
);

create function keep_ended_number() returns trigger language plpgsql as $$
begin
  insert into ended_numbers (number, is_of_row) values (coalesce(old.subject, old.user_id::text), old.subject is null)
  on conflict do nothing;
  return null;
end $$;

create trigger ended_numbers_of_deleted_users after update of deleted_at on users
  for each row when (old.deleted_at is null and new.deleted_at is not null and coalesce(old.subject, old.user_id::text) ~ '^[1-9]\d{0,9}$')
  execute function keep_ended_number();

insert into ended_numbers (number, is_of_row)
select user_id::text, true from users where deleted_at is not null and subject is null;
