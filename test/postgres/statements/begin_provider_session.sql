select
  begin_provider_session ($1, $2, $3, $4, to_timestamp($5))::text as provider_session_id
