select
  (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::double precision as pages
