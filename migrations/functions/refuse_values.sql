-- Raises one error for all problems, which are a JSON array of {field, rule, value, sentence}: the message has the sentences
-- for people, the detail has the array for programs.
create or replace function refuse_values(caller text, problems jsonb) returns void language plpgsql as $$
begin
  raise exception using
    errcode = 'check_violation',
    message = caller || ': ' || (select string_agg(p ->> 'sentence', '; ') from jsonb_array_elements(problems) p),
    column = problems -> 0 ->> 'field',
    constraint = problems -> 0 ->> 'rule',
    detail = problems::text;
end $$;
