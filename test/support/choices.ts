import { printer, registerPeople, registerPrinter, startLatchkey } from './latchkey.ts';

/** What the operator has beside this server: organizations with their members, by the number of the person. */
export async function startWithOrganizations(env: Record<string, string> = {}) {
  const latchkey = await startLatchkey(env);
  const { database } = latchkey;
  await registerPeople(database, ['alice', 'bob']);
  await database.query(`
    create schema company;
    create table company.organizations (id integer primary key, name text not null, plan text);
    create table company.members (organization integer not null, person text not null, primary key (person, organization));
    insert into company.organizations values (12, 'Acme', 'free'), (13, 'Bakery', null), (14, 'Circus', 'paid');
    insert into company.members values (12, '1'), (13, '1'), (14, '2');
    grant usage on schema company to latchkey_reader;
    grant select on all tables in schema company to latchkey_reader;
    select register_scope('org:read', 'See your organizations', changes => false);
    select register_scope('org:write', 'Change your organizations', changes => true)`);
  await registerPrinter(database, { scopes: ['user:name', 'user:email', 'org:read', 'org:write'] });
  const registerChoice = (choice: Record<string, unknown> = {}) => {
    const values = { ...organizations, ...choice };
    const parameters = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
    return database.query(`select register_choice(${parameters.join(', ')})`, Object.values(values));
  };
  await registerChoice();
  return { ...latchkey, registerChoice };
}

export const organizations = {
  name: 'organizations',
  scopes: ['org:read', 'org:write'],
  sentence: 'Which organizations may {application} see?',
  many: true,
  may_be_all: true,
  query: `select id::text as value, name as label, plan as hint
    from company.organizations
    join company.members on members.organization = organizations.id
    where members.person = $1
    order by name -- as people know them`,
};

export const chosen = 'choice.organizations';

export const client_id = printer.client_id;

export const identifiers = (...values: string[]) => values.map((identifier) => ({ type: 'organizations', identifier }));
