-- What is wrong with the values of an account by themselves, whichever way they come.
create or replace function check_user(username text, email text, name text, subject text, password_hash text)
returns table (field text, rule text, value text, sentence text) language plpgsql stable as $$
#variable_conflict use_variable
begin
  return query
  select checked.field, checked.problem[1], checked.value, checked.problem[2]
  from (values
    ('subject', subject, case
      when subject = '' or length(subject) > 255 or has_control_character(subject)
        then array['malformed', 'subject is empty, longer than 255 characters or contains a control character'] end),
    ('username', username, check_username(username)),
    ('password_hash', null, check_password_hash(password_hash)),
    ('email', email, case
      when email !~ '^[^\s@]+@[^\s@]+$' or has_control_character(email) or has_invisible_character(email)
        then array['malformed', format('email %L is not an e-mail address', email)]
      when length(email) > 254 then array['too_long', 'email is longer than 254 characters'] end),
    ('name', name, case
      when length(name) > 200 or has_control_character(name)
        then array['malformed', 'name is longer than 200 characters or contains a control character'] end)
  ) checked (field, value, problem)
  where checked.problem is not null;
end $$;
