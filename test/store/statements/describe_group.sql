with
  described as (
    select
      sentence,
      sentences
    from
      scope_groups
    where
      name = $1
    for update
  )
select
  describe_group (
    grouped.group_name,
    sentence => coalesce($2::text, sentence, grouped.group_name),
    sentences => coalesce(sentences, '{}') || $3::jsonb
  )
from
  (
    select
      group_name
    from
      scopes
    where
      group_name = $1
    limit
      1
  ) grouped
  left join described on true
where
  (
    $4::jsonb is null
    or jsonb_build_object('sentence', sentence, 'sentences', sentences) = $4
  )
