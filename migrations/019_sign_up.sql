-- A link by which somebody who has proved an address, or was invited, makes an account. There is no account before.
create table sign_up_links (
  token_sha256 bytea primary key,
  address text not null,
  is_invitation boolean not null,
  -- the authorization request during which it was asked for
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- a newer one replaces it; who signs up replaces no invitation
create unique index sign_up_links_newest on sign_up_links (folded_name(address), is_invitation);
