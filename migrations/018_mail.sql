-- Mail: what waits to be sent, and the links in what was sent.

-- A mail that waits, or that was sent. It never holds the secret of a link, which is made when the mail is sent.
create table mails (
  mail_id bigint generated always as identity primary key,
  kind text not null,
  -- null: the person is looked up when the mail is sent, so that the request for it does the same for every name
  user_id integer references users on delete cascade,
  -- the recipient, the language and what the mail names, with a key that is not in the database; null once it was sent or given up
  sealed bytea,
  created_at timestamptz not null default now(),
  -- when it is to be tried; of one that is tried at this moment, when another instance may take it
  due_at timestamptz not null default now(),
  -- also the number of the present try: an instance that hangs and wakes up later changes nothing
  tries integer not null default 0,
  -- what the mail server said last
  problem text,
  sent_at timestamptz,
  given_up_at timestamptz,
  -- in the demo, where a page shows what would have been sent
  sealed_copy bytea
);
create index mails_waiting on mails (due_at) where sealed is not null;
create index mails_shown on mails (sent_at) where sealed_copy is not null;
create index mails_by_user on mails (user_id);

-- A link in a mail, or one that an operator hands over.
create table mailed_links (
  token_sha256 bytea primary key,
  purpose text not null,
  user_id integer not null references users on delete cascade,
  -- the address that is proved by it, or that the account gets back
  address text,
  -- of the account when the link was made: a new password or address since then ends it
  account_sha256 bytea,
  -- the authorization request during which it was asked for
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- a newer one replaces it
create unique index mailed_links_newest on mailed_links (user_id, purpose) where purpose in ('reset', 'address');
create index mailed_links_by_user on mailed_links (user_id);

-- in which the person signed in last, for mails
alter table users
  add column language text,
  -- of what is no question of security
  add column wants_notices boolean not null default true;
