-- What an assertion of a client may name as its audience: `issuer`, or for clients that were registered before also an address of
-- this server, as RFC 7523 suggests. Every client that is registered from now on gets `issuer` (keep_client).
alter table clients add column assertion_audience text not null default 'address'
  constraint clients_assertion_audience check (assertion_audience in ('issuer', 'address'));
