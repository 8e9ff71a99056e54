-- Those subjects that the type of the column can have, in its spelling; none if there is no view. No other can be looked for.
create or replace function subjects_of_view(subjects text[]) returns text[] language plpgsql stable as $$
begin
  return array(
    select subject
    from unnest(subjects) subject, view_query('subject') query
    where case
      when query like '%bigint[]%' then case
        -- a longer one cannot be cast
        when subject ~ '^(0|-?[1-9]\d{0,18})$' then subject::numeric between -9223372036854775808 and 9223372036854775807 end
      when query like '%uuid[]%' then subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      else query is not null end);
end $$;
