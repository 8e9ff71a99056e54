insert into
  started_sign_ins (state_sha256, browser_sha256, source, query, detail)
values
  ($1, $2, $3, $4, $5)
