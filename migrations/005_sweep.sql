-- What the sweep looks for. BRIN, because these tables grow in the order of time: such an index is a few pages long and
-- costs an insert nothing.

create index access_tokens_by_expiry on access_tokens using brin (expires_at);
create index refresh_tokens_by_expiry on refresh_tokens using brin (expires_at);
create index authorization_codes_by_issue on authorization_codes using brin (issued_at);
create index consent_decisions_by_time on consent_decisions using brin (decided_at);
