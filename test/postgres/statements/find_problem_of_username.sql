select
  coalesce(
    (check_username ($1, true, $2)) [1],
    case
      when exists (
        select
        from
          people_named ($1, true)
      ) then 'taken'
    end
  ) as problem
