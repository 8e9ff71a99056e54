-- The query that reads the operator's view latchkey_accounts by `name`, `subject` or `updated_at`; null: there is no such view. Values of
-- any type are read as text. What is looked for has the type of its column, so that an index on the column serves: text and its
-- relatives, whole numbers and UUIDs; another type needs an index on the column cast to text.
create or replace function view_query(by text) returns text language plpgsql stable as $$
declare
  source text;
  stamp text;
  -- how a column is compared with the texts in $1
  matches jsonb;
  fields constant text := 'left(subject::text, 1000) as subject, left(username::text, 1000) as username, left(email::text, 1000) as email,
    coalesce(read_flag(email_verified::text), email_verified is null) as email_verified, left(name::text, 1000) as name,
    left(password_hash::text, 1501) as password_hash,
    read_flag(disabled::text) as disabled';
begin
  select c.oid::regclass::text,
    jsonb_object_agg(attname, case
      when base.typcategory = 'S' and base.typname in ('text', 'varchar', 'citext', 'bpchar', 'name')
        then format('%s = any ($1::%s[])', attname, case base.typname when 'bpchar' then 'bpchar' else format_type(base.oid, null) end)
      when base.typname in ('int2', 'int4', 'int8') and attname = 'subject' then 'subject = any ($1::bigint[])'
      when base.typname = 'uuid' and attname = 'subject' then 'subject = any ($1::uuid[])'
      else format('%s::text = any ($1)', attname) end),
    min('updated_at') filter (where attname = 'updated_at' and base.typname = 'timestamptz')
  into source, matches, stamp
  from pg_class c
  join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
  join pg_type own on own.oid = atttypid
  join pg_type base on base.oid = coalesce(nullif(own.typbasetype, 0), own.oid)
  where c.oid = to_regclass('latchkey_accounts')
    and attname in ('subject', 'username', 'email', 'updated_at')
  group by c.oid;
  if source is null then
    return null;
  end if;
  return case by
    when 'name' then format(
      '(select %1$s, null as stamp from %2$s where %3$s limit 2)
       union
       (select * from (select %1$s, null as stamp from %2$s where %4$s) addressed where email_verified limit 2)',
      fields, source, coalesce(matches ->> 'username', 'username is null'), coalesce(matches ->> 'email', 'email is null'))
    when 'subject' then format('select %s, null as stamp from %s where %s', fields, source, coalesce(matches ->> 'subject', 'subject is null'))
    -- a microsecond is lost in no cast: the stamp goes as text
    when 'updated_at' then case when stamp is not null then format(
      'select %s, updated_at::text as stamp from %s
       where updated_at >= ($1)[1]::timestamptz and (updated_at > ($1)[1]::timestamptz or subject::text > ($1)[2])
       order by updated_at, subject::text limit 1000', fields, source) end
  end;
end $$;
