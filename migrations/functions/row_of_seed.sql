-- The row of this kind with this primary key, as JSON; null if there is none.
create or replace function row_of_seed(kind text, key text) returns jsonb language sql stable as $$
  select case kind
    when 'client' then (select to_jsonb(c) from clients c where c.client_id = key)
    when 'user' then (select to_jsonb(u) from users u where u.user_id = key::integer)
    when 'scope' then (select to_jsonb(s) from scopes s where s.name = key)
    when 'group' then (select to_jsonb(g) from scope_groups g where g.name = key)
    when 'resource' then (select to_jsonb(r) from resources r where r.resource = key)
    when 'provider' then (select to_jsonb(p) from providers p where p.name = key)
    when 'claim' then (select to_jsonb(c) from claims c where c.name = key)
    when 'choice' then (select to_jsonb(c) from choices c where c.name = key)
  end
$$;
