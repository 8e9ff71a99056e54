select
  wanted.client_id,
  people,
  grants_read = $2 as least_people,
  tokens::double precision,
  refused,
  refusals_read = least($2, 300) as least_refused
from
  unnest($1::text[]) wanted (client_id)
  cross join lateral newest_people (wanted.client_id, $2)
  cross join lateral (
    select
      coalesce(sum(total), 0) as tokens
    from
      issued_tokens
    where
      issued_tokens.client_id = wanted.client_id
      and day > (now() at time zone 'UTC')::date - 7
  ) issued
  cross join lateral (
    select
      count(*) as refusals_read,
      count(*) filter (
        where
          error <> 'note'
          and happened_at > now() - interval '7 days'
      )::integer as refused
    from
      (
        select
          error,
          happened_at
        from
          refusals
        where
          refusals.client_id = wanted.client_id
        order by
          refusal_id desc
        limit
          least($2, 300)
      ) latest
  ) refusing
