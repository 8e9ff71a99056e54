select
  keep_client_document ($1, fresh_for => $2)
