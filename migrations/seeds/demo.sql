-- The demo: one person, who may see every page. Safe to run again.

select register_user(
  username => 'alice', password => 'wonderland', email => 'alice@example.com', name => 'Alice Liddell', is_admin => true);

-- a start without the demo ends what is marked as its own
update users set is_demo = true, disabled_at = null where username = 'alice';

-- The photo albums of a service beside this server; people choose which of theirs an application sees. Where the database user may not
-- make the schema, or where another choice or scope has these names, the demo does without albums.
do $do$
declare
  mine constant boolean := exists (select from choices where name = 'albums' and query like '%latchkey_demo.albums%');
begin
  if reader_problem() is not null or not has_database_privilege(current_database(), 'create')
    or not mine and exists (select from scopes where name = 'albums:read' union all select from choices where name = 'albums') then
    return;
  end if;

  create schema if not exists latchkey_demo;
  create table if not exists latchkey_demo.albums (
    person text, album text, title text not null, pictures integer not null, taken_at date not null, primary key (person, album));
  grant usage on schema latchkey_demo to latchkey_reader;
  grant select on latchkey_demo.albums to latchkey_reader;

  insert into latchkey_demo.albums (person, album, title, pictures, taken_at)
  select coalesce(subject, user_id::text), album, title, pictures, taken_at::date
  from users, (values
    ('tea-party', 'Tea party in the garden', 31, '2026-08-02'),
    ('wales', 'Summer in Wales', 148, '2026-07-20'),
    ('boat-trip', 'Boat trip with Lorina and Edith', 52, '2026-07-04'),
    ('kittens', 'Dinah’s kittens', 17, '2026-05-30'),
    ('croquet', 'Croquet, every single hoop', 63, '2026-05-16'),
    ('zurich', 'Zürich und Umgebung', 88, '2026-03-11'),
    ('snow', 'Oxford in the snow', 24, '2026-01-09'),
    ('christmas', 'Christmas at home', 71, '2025-12-26'),
    ('library', 'The library roof', 9, '2025-10-18'),
    ('rabbit', 'A white rabbit, blurred', 3, '2025-09-13'),
    ('llandudno', 'Llandudno beach', 112, '2025-08-08'),
    ('documents', 'Scanned documents', 40, '2024-02-01')) albums (album, title, pictures, taken_at)
  where username = 'alice'
  union all
  -- the people of the demo website
  values
    ('demo-dora', 'wales', 'Cycling in Wales', 96, '2026-06-06'::date),
    ('demo-dora', 'garden', 'The new garden', 12, '2026-04-03'),
    ('demo-dora', 'lisbon', 'Lisboa', 205, '2025-11-15'),
    ('demo-emil', 'trains', 'Trains', 640, '2026-02-14')
  on conflict on constraint albums_pkey do nothing;

  perform register_scope(
    name => 'albums:read', sentence => 'See your photo albums',
    sentences => '{"de": "Ihre Fotoalben sehen", "es": "Ver sus álbumes de fotos", "fr": "Voir vos albums photo", "zh": "查看您的相册"}');
  perform register_choice(
    name => 'albums', scopes => array['albums:read'], sentence => 'Which albums may {application} see?',
    sentences => '{
      "de": "Welche Alben darf {application} sehen?", "es": "¿Qué álbumes puede ver {application}?",
      "fr": "Quels albums voulez-vous montrer à {application} ?", "zh": "{application} 可以查看哪些相册？"}',
    may_be_all => true,
    query => $$ select album as value, title as label, pictures || ' pictures' as hint
      from latchkey_demo.albums
      where person = $1
      order by taken_at desc $$);
end $do$;
