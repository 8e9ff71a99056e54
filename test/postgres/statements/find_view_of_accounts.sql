select
  view_query ('name') is not null as is_there,
  view_query ('updated_at') is not null as has_stamps
