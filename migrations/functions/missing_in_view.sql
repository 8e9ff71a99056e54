-- Subjects that the operator's view was asked for and has no row of. A subject that cannot be asked for is not among them.
create or replace function missing_in_view(subjects text[]) returns setof text language plpgsql stable as $$
begin
  return query
  select unnest(subjects_of_view(subjects))
  except
  select subject from find_in_view('subject', subjects);
end $$;
