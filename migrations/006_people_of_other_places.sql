-- People whom other places know, too: their own identifiers, where an account comes from, hashes of any kind, and the names by which
-- people sign in.

alter table users
  -- of the operator or of where the account comes from; null: `sub` is the number. It never changes
  add column subject text constraint users_subject_length check (length(subject) between 1 and 255),
  -- who may speak for the account: 'here', 'website', 'view' or 'provider:NAME'
  add column source text not null default 'here'
    constraint users_source check (source ~ '^(here|website|view|provider:.+)$'),
  -- of any kind but plain bcrypt, which stands in password_bcrypt: of an imported person until the first sign-in, or of a password
  -- that is longer than bcrypt reads. Both are null if the person signs in elsewhere only
  add column password_hash text,
  -- as before, but without the demand for a password
  drop constraint users_deleted_are_empty,
  add constraint users_deleted_are_empty check (case
    when deleted_at is null then username is not null
    else disabled_at is not null and not is_admin
      and num_nonnulls(username, password_bcrypt, registered_password_bcrypt, email, name) = 0 end) not valid;

-- Names and addresses are compared in this form: NFKC, trimmed, and each letter of Latin, Greek, Cyrillic and Armenian in lower case.
-- Neither the collation nor the version of Postgres changes it. It must never change itself, as stored names depend on it.
create function folded_name(name text) returns text language sql immutable strict parallel safe as $$
  select case
    -- ASCII only, as most names are: a fiftieth of the time
    when octet_length(name) = length(name) then lower(btrim(name, E' \t\r\n') collate "C")
    else normalize(translate(btrim(normalize(name, NFKC), E' \t\r\n'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĴĶĹĻĽŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦ'
      'ƧƩƬƮƯƱƲƳƵƷƸƼǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЀЁЂЃЄЅІЇЈЉ'
      'ЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲ'
      'ԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖ'
      'ỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺᾼῈῊῌῘῙῚῨῩῪῬῸῺῼς',
      'abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀ'
      'ƨʃƭʈưʊʋƴƶʒƹƽǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѐёђѓєѕіїјљ'
      'њћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբ'
      'գդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗ'
      'ộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰᾳὲὴῃῐῑὶῠῡὺῥὸὼῳσ'), NFKC) end
$$;

-- By what people sign in: the username and the verified address of each, in one namespace. Accounts of before this table keep
-- names that differ in case only; such a name is here once, and the other accounts are found by its exact spelling.
create table sign_in_names (
  name text primary key,
  user_id integer not null references users on delete cascade
);
create index sign_in_names_by_user on sign_in_names (user_id);

create function names_of_user(u users) returns text[] language sql immutable as $$
  select array_remove(array[folded_name(u.username), case when u.email_verified then folded_name(u.email) end], null)
$$;

-- The rule for every door: a name that somebody has is refused, unless the account had it already.
create function keep_sign_in_names() returns trigger language plpgsql as $$
declare
  earlier text[] := '{}';
  wanted text;
  owner users;
begin
  if tg_op = 'UPDATE' then
    earlier := names_of_user(old);
    delete from sign_in_names where user_id = new.user_id and name <> all (names_of_user(new));
  end if;
  foreach wanted in array names_of_user(new) loop
    insert into sign_in_names (name, user_id) values (wanted, new.user_id) on conflict do nothing;
    continue when found or wanted = any (earlier);
    select users.* into owner from sign_in_names known join users using (user_id) where known.name = wanted;
    if not found then
      -- given up since
      insert into sign_in_names (name, user_id) values (wanted, new.user_id);
    elsif wanted <> all (names_of_user(owner)) then
      -- left behind by a change while the table was filled, or by one of the same statement
      update sign_in_names set user_id = new.user_id where name = wanted;
    elsif owner.user_id <> new.user_id then
      raise exception using
        errcode = 'unique_violation',
        constraint = 'sign_in_names_pkey',
        message = format('the user %L cannot sign in as %L, because that is the %s of the user %L', new.username,
          case when folded_name(new.username) = wanted then new.username else new.email end,
          case when folded_name(owner.username) = wanted then 'name' else 'address' end, owner.username);
    end if;
  end loop;
  return null;
end $$;

create trigger sign_in_names_of_new_users after insert on users
  for each row execute function keep_sign_in_names();
create trigger sign_in_names_of_changed_users after update of username, email, email_verified on users
  for each row when (old.username is distinct from new.username or old.email is distinct from new.email
    or old.email_verified is distinct from new.email_verified)
  execute function keep_sign_in_names();

-- A sign-in that goes on at another site. It may be lost in a crash: the person begins again.
create unlogged table started_sign_ins (
  -- of the value that comes back from there
  state_sha256 bytea primary key,
  -- of the cookie of the browser in which it began
  browser_sha256 bytea not null,
  source text not null,
  -- the query of the page on which it began, with the authorization request
  query text not null,
  -- what only this sign-in knows: a verifier, what the application demands
  detail jsonb not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '10 minutes'
);
