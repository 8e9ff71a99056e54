select
  latest.client_id,
  latest.happened_at,
  latest.request_id,
  latest.request,
  latest.error,
  latest.reason,
  latest.redirect_uri
from
  unnest($1::text[]) wanted (client_id)
  cross join lateral (
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
      $3
  ) latest
order by
  latest.happened_at desc,
  latest.refusal_id desc
limit
  $3
