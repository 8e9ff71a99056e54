-- The decisions of a grant (decisionsIn in src/oauth/consent/remembered-grant.ts) as they count for a family that was given choices: a
-- scope with a choice counts where this choice still belongs to the scope, and something of it is in force.
create or replace function decided_with_choices(decided text[], given jsonb, in_force jsonb) returns text[]
language sql stable parallel safe as $$
  select array(
    select regexp_replace(one, '#[^@]*', '')
    from unnest(decided) one, split_part(translate(one, '#', '@'), '@', 1) scope
    left join lateral (select key as name from jsonb_each(given) where value -> 'scopes' ? scope limit 1) bound on true
    where case
      when bound.name is null then position('#' in one) = 0
      else in_force ? bound.name
        and split_part(one, '@', 1) = scope || '#' || bound.name
        and exists (select from choices c where c.name = bound.name and c.disabled_at is null and scope = any (c.scopes)) end)
$$;
