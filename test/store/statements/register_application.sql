with
  ticket as (
    insert into
      used_tickets (ticket_sha256)
    values
      ($15)
    on conflict do nothing
    returning
      ticket_sha256
  )
select
  register_client (
    client_id => $1,
    name => $2,
    site_domain => $3,
    redirect_uris => $4,
    scopes => $5,
    required_scopes => $6,
    homepage_uri => $7,
    logo_uri => $8,
    scope_reasons => $9,
    policy_uri => $10,
    tos_uri => $11,
    client_secret => $12,
    owner => $13,
    vouched => $14
  )
from
  ticket
