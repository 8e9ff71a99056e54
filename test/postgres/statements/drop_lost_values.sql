update grants
set
  choices = jsonb_set(
    choices,
    array[$2],
    array_to_json(
      array(
        select
          value
        from
          jsonb_array_elements_text(choices -> $2) value
        where
          value <> all ($3)
      )
    )::jsonb
  )
where
  grant_id = $1
  and jsonb_typeof(choices -> $2) = 'array'
  and (choices -> $2) ?| $3
