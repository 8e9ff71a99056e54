-- Whether an operator or owner has set the scopes of a client that came by itself, which therefore may ask for no others.
alter table clients add column has_fixed_scopes boolean not null default false;
