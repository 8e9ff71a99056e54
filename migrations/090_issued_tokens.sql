-- How many tokens were issued to a client on a day, in UTC, as all instances have counted. The number of a day can lack the last seconds of
-- an instance that was killed. Rows of a client that was deleted end with their week.
create table issued_tokens (
  client_id text,
  day date,
  total bigint not null,
  primary key (client_id, day)
) with (fillfactor = 70);
