-- Whether an administrator vouches for the application: who registers one by SQL or by command does.
alter table clients add column vouched boolean not null default true;

-- Whether the permission changes something; null: when its name ends in ":write".
alter table scopes add column changes boolean;
