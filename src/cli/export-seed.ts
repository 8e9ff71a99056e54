import { clientMemberNames, clientMembers } from '../lib/client-members.ts';
import {
  type ExportedRow,
  listBannedSitesToExport,
  listChoicesToExport,
  listClaimsToExport,
  listClientsToExport,
  listGroupsToExport,
  listPeopleForSeed,
  listProvidersToExport,
  listResourcesToExport,
  listScopesToExport,
} from '../operations/exported-registrations.sql.ts';
import { sqlCall, sqlLiteral } from '../postgres/sql-text.ts';
import { atOneMoment, type Connection } from '../postgres/transaction.ts';
import { command, UsageError } from './command.ts';
import { jsonList, writeLines } from './long-output.ts';
import { withSchema } from './with-database.ts';

interface Exported {
  kind: 'scope' | 'group' | 'provider' | 'claim' | 'choice' | 'user' | 'client' | 'resource' | 'site';
  id: string;
  sql: string;
}

interface Parts {
  people: boolean;
  hashes: boolean;
}

// `begin` and `commit`: without its end, the file is refused as a whole
const head = `-- What is registered at this server: latchkey seed FILE registers the same.
-- Not in it: secrets of providers; the clients that registered themselves or publish a document, the demo's, and those that a ban has
-- stopped, with their resources; accounts that come from elsewhere; what a seed has pruned;
-- linked identities, second factors, passkeys, sessions, grants, tokens, signing keys, invitations.
-- Without --people, neither people nor who owns a client are in it: an owner that is registered stays.
begin;
`;
const foot = 'commit; -- add nothing below: the file is one transaction';

export const exportSeed = command({
  name: 'export',
  summary: 'Print all registrations as a seed.',
  details:
    'Applied to the same server, it changes nothing. Secrets of clients are in it as digests; those of providers are not, and stay where they are registered.',
  options: {
    people: { type: 'boolean', help: 'with the people that are registered here, and the owners of clients' },
    hashes: { type: 'boolean', help: 'with --people: with the hashes of their passwords; keep that file secret' },
  },
  async run({ options, isJson, shell }) {
    if (options.hashes && !options.people) throw new UsageError('export: --hashes belongs to --people');
    await withSchema(shell, (_, { address }) =>
      atOneMoment(address, async (connection) => {
        const statements = eachStatement(connection, options);
        await writeLines(shell, isJson ? jsonList(statements) : asFile(statements));
      }),
    );
    return undefined;
  },
});

async function* asFile(statements: AsyncIterable<Exported>): AsyncGenerator<string> {
  yield head;
  for await (const { sql } of statements) yield `${sql}\n`;
  yield foot;
}

/** In an order in which each one finds what it refers to. */
async function* eachStatement(connection: Connection, { people, hashes }: Parts): AsyncGenerator<Exported> {
  for (const scope of await listScopesToExport(connection)) {
    yield { kind: 'scope', id: String(scope['name']), sql: scopeStatement(scope) };
  }
  for await (const { key, ...group } of listGroupsToExport(connection)) {
    yield { kind: 'group', id: key, sql: sqlCall('describe_group', group) };
  }
  for await (const row of listProvidersToExport(connection))
    yield { kind: 'provider', id: row.key, sql: providerStatement(row) };
  for await (const { key, ...claim } of listClaimsToExport(connection)) {
    yield { kind: 'claim', id: key, sql: sqlCall('register_claim', claim) };
  }
  for await (const { key, ...choice } of listChoicesToExport(connection)) {
    yield { kind: 'choice', id: key, sql: sqlCall('register_choice', choice) };
  }
  if (people) {
    for await (const row of listPeopleForSeed(connection))
      yield { kind: 'user', id: row.key, sql: userStatement(row, hashes) };
  }
  for await (const row of listClientsToExport(connection))
    yield { kind: 'client', id: row.key, sql: clientStatement(row, people) };
  for await (const { key, ...resource } of listResourcesToExport(connection)) {
    yield { kind: 'resource', id: key, sql: sqlCall('register_resource', resource) };
  }
  for await (const { key } of listBannedSitesToExport(connection)) {
    const sql = `insert into banned_sites (site_domain) values (${sqlLiteral(key)}) on conflict do nothing;`;
    yield { kind: 'site', id: key, sql };
  }
}

function scopeStatement(columns: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(columns);
  return `insert into scopes (${names.join(', ')})
values (${Object.values(columns).map(sqlLiteral).join(', ')})
on conflict (name) do update
set ${names.map((name) => `${name} = excluded.${name}`).join(', ')};`;
}

function providerStatement({ key, is_disabled, issuers, ...provider }: ExportedRow): string {
  const { issuer, kind } = provider as unknown as { issuer: string; kind: string };
  // a shared issuer of Entra is written with the tenant in its place
  const tenants = (issuers as string[]).filter((one) => kind === 'entra' && one !== issuer);
  const ids = tenants.map((one) => /[0-9a-f-]{36}/.exec(one)?.[0]);
  const secret =
    provider['token_endpoint_auth_method'] === 'none'
      ? ''
      : `-- the secret of ${JSON.stringify(key)} is not in this file: a server that does not have it needs client_secret => '…' here\n`;
  return `${secret}${sqlCall('register_provider', { ...provider, tenants: ids })}${disabledAs('providers', 'name', key, is_disabled)}`;
}

function userStatement({ key, is_disabled, password_hash, ...person }: ExportedRow, withHash: boolean): string {
  const hash = withHash && password_hash !== null ? { password_hash } : {};
  return `${sqlCall('register_user', { ...person, ...hash })}${disabledAs('users', 'username', key, is_disabled)}`;
}

function clientStatement({ key, is_disabled, ...row }: ExportedRow, withOwner: boolean): string {
  const digests = row['secrets_sha256'] as string[];
  const members: Record<string, unknown> = {
    ...row,
    client_secret: digests.length === 0 ? null : digests.map((digest) => `sha256:${digest.slice(2)}`).join(' '),
    owner: withOwner ? row['owner'] : null,
  };
  const stated = clientMemberNames
    .filter((name) => JSON.stringify(members[name]) !== JSON.stringify(clientMembers[name].default ?? null))
    .map((name) => [name, members[name]]);
  return `${sqlCall('register_client', Object.fromEntries(stated))}${disabledAs('clients', 'client_id', key, is_disabled)}`;
}

function disabledAs(table: string, column: string, key: string, isDisabled: boolean | undefined): string {
  if (!isDisabled) return '';
  return `\nupdate ${table} set disabled_at = coalesce(disabled_at, now()) where ${column} = ${sqlLiteral(key)};`;
}
