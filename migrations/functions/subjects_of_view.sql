-- Subjects that the type of the view's column can have, in the spelling of that type; none if there is no view. The view cannot be asked for others.
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
