-- Each statement by itself.
drop index concurrently if exists pushed_requests_by_client;
create index concurrently pushed_requests_by_client on pushed_requests (client_id);
