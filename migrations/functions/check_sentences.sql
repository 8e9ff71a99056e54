-- The problems of what people read about a scope or a group: one sentence, and others by language.
create or replace function check_sentences(
  sentence text,
  sentences jsonb
) returns table (field text, value text, problem text[]) language plpgsql as $$
#variable_conflict use_variable
begin
  return query
  select checked.*
  from (values
    ('sentence', sentence, case
      when coalesce(btrim(sentence), '') = '' then array['missing', 'sentence is missing: people read it on the consent page']
      when length(sentence) > 200 or has_control_character(sentence)
        then array['malformed', 'sentence is longer than 200 characters or contains a control character'] end),
    ('sentences', null, case
      when jsonb_typeof(sentences) is distinct from 'object' or jsonb_path_exists(sentences, '$.* ? (@.type() <> "string")')
        then array['malformed', 'sentences is no object of language and sentence']
      when exists (
        select from jsonb_each_text(sentences) said (language, sentence)
        where language !~ '^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$'
          or btrim(said.sentence) = '' or length(said.sentence) > 200 or has_control_character(said.sentence))
        then array['malformed', 'sentences has a language that is no tag such as de or zh-TW, or a sentence that is empty, longer than 200 characters or contains a control character'] end)
  ) checked (field, value, problem);
end $$;
