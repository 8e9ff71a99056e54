-- Clients whose client_id is the URL of their metadata document.

create table client_documents (
  client_id text primary key references clients on delete cascade,
  fetched_at timestamptz not null default now(),
  -- until then the document is not fetched again
  fresh_until timestamptz not null
);
create index client_documents_by_age on client_documents (fetched_at);

-- When the metadata document last gave the client another name.
alter table clients add column renamed_at timestamptz;
