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
  ),
  changed as (
    select
      describe_group (
        grouped.group_name,
        sentence => coalesce($2::text, sentence, grouped.group_name),
        sentences => jsonb_strip_nulls(coalesce(sentences, '{}') || $3::jsonb)
      ) as name,
      (coalesce($2::text, sentence), jsonb_strip_nulls(coalesce(sentences, '{}') || $3::jsonb)) is distinct from (sentence, coalesce(sentences, '{}')) as is_other
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
  ),
  other as (
    select
    from
      changed
    where
      is_other
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $5::text,
      coalesce($6::integer, null),
      $7::text,
      coalesce($8::text, null),
      $9,
      $10,
      acting_administrator ($11::bytea)
    from
      other
    limit
      1
  )
select
  name
from
  changed
