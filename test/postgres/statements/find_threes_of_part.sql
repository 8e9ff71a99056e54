with
  common as materialized (
    select
      elements.three,
      elements.share
    from
      pg_stats
      cross join unnest(most_common_elems::text::text[], most_common_elem_freqs) elements (three, share)
    where
      schemaname = current_schema()
      and tablename = 'sign_in_names_by_part'
      and elements.three = any (threes_of (folded_name ($1)))
  )
select
  typed.three,
  common.share
from
  (
    select distinct
      unnest(threes_of (folded_name ($1))) as three
  ) typed
  left join common on common.three = typed.three
order by
  common.share nulls first
