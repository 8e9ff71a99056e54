-- What an assertion of a client may name as its audience: `issuer`, or for clients that were registered before also an address of
-- this server, as RFC 7523 suggests. Every client that is registered from now on gets `issuer` (keep_client).
alter table clients add column assertion_audience text not null default 'address'
  constraint clients_assertion_audience check (assertion_audience in ('issuer', 'address'));

-- `none`: an application of the operator, which gets what it asks for without a consent page (src/grants/authorization.ts).
alter table clients add column consent text constraint clients_consent check (consent = 'none');

-- Whether nobody was asked, because the client has consent 'none'.
alter table grants add column silent boolean not null default false;

-- A person who refused a client, or had a grant of it that is over and deleted. If it ever is such a client, the person is asked: what
-- was decided about an ordinary one must not come back silently either.
create table own_decisions (
  user_id integer not null references users on delete cascade,
  client_id text not null references clients on delete cascade,
  primary key (user_id, client_id)
);
create index own_decisions_by_client on own_decisions (client_id);

-- The operator has given consent 'none' to this owner, these destinations and these scopes, and vouched for them: it ends with each of
-- them, or an owner could get more of everybody who has not come yet.
create function end_silent_consent() returns trigger language plpgsql as $$
begin
  new.consent := null;
  return new;
end $$;
create trigger clients_end_silent_consent before update on clients for each row
  when (old.consent is not null and ((old.owner_id, old.site_domain, old.redirect_uris, old.vouched)
    is distinct from (new.owner_id, new.site_domain, new.redirect_uris, new.vouched) or not new.scopes <@ old.scopes))
  execute function end_silent_consent();
