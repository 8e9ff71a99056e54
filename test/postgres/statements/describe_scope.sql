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
  ),
  changed as (
    select
      register_scope (
        name,
        changes => changes,
        sentence => coalesce($2::text, sentence, name),
        sentences => jsonb_strip_nulls(coalesce(sentences, '{}') || $3::jsonb)
      ) as name,
      (coalesce($2::text, sentence), jsonb_strip_nulls(coalesce(sentences, '{}') || $3::jsonb)) is distinct from (sentence, coalesce(sentences, '{}')) as is_other
    from
      described
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
