-- Where a client says what it does with the data of people, and under which terms [7591 §2].
alter table clients
  add column policy_uri text,
  add column tos_uri text;
