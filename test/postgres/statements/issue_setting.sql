insert into
  settings (name, value)
values
  ($1, $2)
on conflict (name) do update
set
  value = settings.value
returning
  value
