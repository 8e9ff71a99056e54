select
  describe_group (
    grouped.name,
    sentence => coalesce(
      case
        when $3::text is null then $2
      end,
      scope_groups.sentence,
      grouped.name
    ),
    sentences => coalesce(scope_groups.sentences, '{}') || case
      when $3::text is null then '{}'
      else jsonb_build_object($3::text, $2::text)
    end
  )
from
  (
    select
      group_name as name
    from
      scopes
    where
      group_name = $1
    limit
      1
  ) grouped
  left join scope_groups on scope_groups.name = grouped.name
