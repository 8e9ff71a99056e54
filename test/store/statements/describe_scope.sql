with
  described as (
    select
      name,
      changes,
      sentence,
      sentences
    from
      scopes
    where
      name = $1
      and (
        $4::jsonb is null
        or jsonb_build_object('sentence', sentence, 'sentences', sentences) = $4
      )
    for update
  )
select
  register_scope (
    name,
    changes => changes,
    sentence => coalesce($2::text, sentence, name),
    sentences => coalesce(sentences, '{}') || $3::jsonb
  )
from
  described
