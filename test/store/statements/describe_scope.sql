select
  register_scope (
    scopes.name,
    changes => changes,
    sentence => coalesce(
      case
        when $3::text is null then $2
      end,
      scopes.sentence,
      scopes.name
    ),
    sentences => coalesce(scopes.sentences, '{}') || case
      when $3::text is null then '{}'
      else jsonb_build_object($3::text, $2::text)
    end
  )
from
  scopes
where
  name = $1
