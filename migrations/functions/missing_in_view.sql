-- Subjects that the operator's view was asked for, and of which it has no row, or one with no known word in `disabled`. A subject that
-- cannot be asked for is not among them.
create or replace function missing_in_view(subjects text[]) returns setof text language plpgsql stable as $$
begin
  return query
  select unnest(subjects_of_view(subjects))
  except
  select subject from find_in_view('subject', subjects) group by subject having bool_and(disabled is not null);
end $$;
