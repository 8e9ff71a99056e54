-- Whether an administrator vouches for the client; true for clients registered by SQL or a command.
alter table clients add column vouched boolean not null default true;

-- Whether the scope allows changes; null means that it does if its name ends in ":write".
alter table scopes add column changes boolean;
