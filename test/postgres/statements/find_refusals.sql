select
  latest.client_id,
  latest.happened_at,
  latest.request_id,
  latest.request,
  latest.error,
  latest.reason,
  latest.redirect_uri,
  latest.times,
  latest.refusal_id
from
  unnest($1::text[]) wanted (client_id)
  cross join lateral (
    select
      kept.client_id,
      max(kept.happened_at) as happened_at,
      max(kept.refusal_id) as refusal_id,
      kept.request,
      kept.error,
      kept.reason,
      kept.redirect_uri,
      (
        array_agg(
          kept.request_id
          order by
            kept.refusal_id desc
        )
      ) [1] as request_id,
      count(*)::integer as times
    from
      (
        select
          refusals.*
        from
          refusals
        where
          refusals.client_id = wanted.client_id
          and refusals.happened_at > now() - interval '7 days'
          and (
            $2::text is null
            or refusals.request_id = $2
          )
        order by
          refusals.refusal_id desc
        limit
          300
      ) kept
    group by
      kept.client_id,
      kept.request,
      kept.error,
      kept.reason,
      kept.redirect_uri,
      date_trunc('hour', kept.happened_at)
    having
      $3::bigint is null
      or max(kept.refusal_id) < $3
    order by
      max(kept.refusal_id) desc
    limit
      $4
  ) latest
order by
  latest.refusal_id desc
limit
  $4
