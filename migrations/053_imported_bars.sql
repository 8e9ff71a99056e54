-- What the last import said: one that says so again undoes nothing that an operator has decided since.
alter table users add column imported_disabled boolean not null default false;
