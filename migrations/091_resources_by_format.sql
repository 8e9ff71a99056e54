-- Every few seconds each process asks whether there is a resource whose tokens are signed.
create index resources_by_format on resources (token_format);
