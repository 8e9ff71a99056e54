import { statedAs, writeScope } from '../lib/scope.ts';
import { listPath } from '../registration/console/path.ts';
import { SourceText, shell } from '../registration/console/source-text.ts';
import { type Connection, type Library, languageOf } from '../registration/programs/library.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSentence } from './portal.view.ts';
import { pageAt, say } from './words.ts';

/** The application of the examples: whoever registers it like this can run them unchanged. */
export const exampleId = 'my-application';
/** The application whose credentials an API of the examples uses, and that of an MCP server. */
export const apiId = 'my-api';
export const mcpServerId = 'my-mcp-server';
export const exampleOrigin = 'http://localhost:8080';
const exampleSite = 'https://app.example';

/** The permissions of the first group that change nothing, which is the profile unless the operator has other plans. */
export function exampleRegistration({ issuer, catalogue, brand_name }: Facts) {
  const group = catalogue.find(({ changes }) => !changes)?.group_name;
  const members = catalogue
    .filter(({ group_name, changes }) => group_name === group && !changes)
    .map(({ name }) => name);
  return {
    issuer,
    client_id: exampleId,
    scope: writeScope(catalogue, members),
    needed: statedAs(catalogue, members[0]),
    brand: brand_name,
    audiences: [],
  };
}

/** The program of a library, as the console shows it for the application of the examples. */
export function exampleOf(
  facts: Facts,
  library: Library,
  is_public: boolean,
  origin = exampleOrigin,
  changes: Partial<Connection> = {},
): PortalProgram {
  const redirect_uri = origin + (library.answers_at?.path ?? '/callback');
  const registration = { ...exampleRegistration(facts), ...changes };
  const connection: Connection = { ...registration, redirect_uri, is_public };
  const { id, name, file } = library;
  // an API has the credentials of an application, and needs no way back
  const isApi = library.needs_secret === true;
  return {
    ...{ id, name, file },
    language: languageOf(library),
    text: library.program(connection),
    about: isApi ? [] : [say('portal.program.redirect', { redirect_uri })],
  };
}

export const readsSecret = say('portal.program.secret', { variable: 'CLIENT_SECRET' });

/** What holds for every program of a page, said once; the first says which values are those of the example. */
export const aboutExamples = (facts: Facts, first: PortalSentence, saysSecret: boolean): PortalSentence[] => [
  first,
  ...(saysSecret ? [readsSecret] : []),
  say('portal.program.connect', { console: pageAt(facts, listPath) }),
];

/** What holds for every program that is an application; it has no secret, or the steps say where the program has it from. */
export const aboutApplications = (facts: Facts): PortalSentence[] =>
  aboutExamples(facts, say('portal.program', { client_id: exampleId, scope: exampleRegistration(facts).scope }), false);

export const aboutApis = (
  facts: Facts,
  registered: { client_id: string; resource: string; scope: string },
): PortalSentence[] => aboutExamples(facts, say('portal.program.api', registered), true);

/** What the operator runs to register an API. */
export const registeringSql = ({
  client_id,
  resource,
  scope,
  sentence,
}: Readonly<Record<'client_id' | 'resource' | 'scope' | 'sentence', string>>) => `select register_scope(
  name => '${scope}',
  sentence => '${sentence}');
select register_resource(
  resource => '${resource}',
  scopes => array['${scope}'],
  client_id => '${client_id}');`;

export const readExample = ({ issuer }: Facts): PortalProgram => ({
  ...{ id: 'read-user', name: 'curl', about: [] },
  text: shell`curl -fsS ${`${issuer}/user`} \\
  -H "Authorization: Bearer $TOKEN"`.text,
});

export const revokeExample = ({ issuer }: Facts): PortalProgram => ({
  id: 'revoke',
  name: 'curl',
  file: 'revoke.sh',
  about: [say('portal.program.revoke', { secret: 'CLIENT_SECRET', token: 'TOKEN' })],
  text: shell`curl -fsS ${`${issuer}/revoke`} -d ${`client_id=${exampleId}`} \\
  --data-urlencode "client_secret=$CLIENT_SECRET" --data-urlencode "token=$TOKEN"`.text,
});

/** How an app on a phone is a client; AppAuth adds `state` and PKCE itself. Values are quoted alike in both languages, but for `$` in Kotlin. */
export function appAuthExamples(facts: Facts, redirect_uri: string): PortalProgram[] {
  const { issuer, client_id, scope } = exampleRegistration(facts);
  const quoted = (value: string) => JSON.stringify(value).replaceAll('$', '%24');
  const authorize = quoted(`${issuer}/authorize`);
  const token = quoted(`${issuer}/token`);
  return [
    {
      ...{ id: 'appauth-ios', name: 'Swift', file: 'SignIn.swift', language: 'Swift', about: [] },
      text: `let server = OIDServiceConfiguration(
  authorizationEndpoint: URL(string: ${authorize})!,
  tokenEndpoint: URL(string: ${token})!)
let request = OIDAuthorizationRequest(
  configuration: server,
  clientId: ${quoted(client_id)},
  scopes: [${quoted(scope)}],
  redirectURL: URL(string: ${quoted(redirect_uri)})!,
  responseType: OIDResponseTypeCode,
  additionalParameters: nil)
// keep the flow until the person is back
flow = OIDAuthState.authState(byPresenting: request, presenting: self) {
  state, error in
  // state?.lastTokenResponse?.accessToken
}`,
    },
    {
      ...{ id: 'appauth-android', name: 'Kotlin', file: 'SignIn.kt', language: 'Kotlin', about: [] },
      text: `val server = AuthorizationServiceConfiguration(
  Uri.parse(${authorize}),
  Uri.parse(${token}))
val request = AuthorizationRequest.Builder(
  server, ${quoted(client_id)}, ResponseTypeValues.CODE,
  Uri.parse(${quoted(redirect_uri)}))
  .setScope(${quoted(scope)}).build()
val service = AuthorizationService(this)
startActivityForResult(service.getAuthorizationRequestIntent(request), 1)

// in onActivityResult
val answer = AuthorizationResponse.fromIntent(data!!) ?: return
service.performTokenRequest(answer.createTokenExchangeRequest()) { tokens, error ->
  // tokens?.accessToken
}`,
    },
  ];
}

const exampleMetadata = (redirect_uri: string) => ({
  client_name: 'My application',
  redirect_uris: [redirect_uri],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
});

export function registrationExample({ issuer, registration_endpoint }: Facts): PortalProgram {
  const invitation =
    registration_endpoint === 'token'
      ? shell`\\
  -H "Authorization: Bearer $INVITATION" \\
  `
      : shell`\\
  `;
  // no value has the quotation mark of a shell
  const metadata = new SourceText(laidOut(exampleMetadata(`${exampleOrigin}/callback`)));
  return {
    id: 'register',
    name: 'curl',
    file: 'register.sh',
    about: [],
    text: shell`curl -sS ${`${issuer}/register`} \\
  -H 'Content-Type: application/json' ${invitation}-d '${metadata}'`.text,
  };
}

/** Replaces the registration of `registrationExample`; its variables have values of the answer. */
export function changeExample(): PortalProgram {
  const metadata = { client_id: '$CLIENT_ID', ...exampleMetadata(`${exampleOrigin}/callback`) };
  return {
    id: 'register-change',
    name: 'curl',
    file: 'change.sh',
    about: [],
    text: `# URI=…/register/app-… TOKEN=lk_ra_… CLIENT_ID=app-… sh change.sh
curl -sS -X PUT "$URI" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d @- <<END
${laidOut({ ...metadata, client_name: 'My new name' })}
END`,
  };
}

/** What an application learns when it has registered, without most of what it stated. */
export const registrationAnswer = ({ issuer, catalogue }: Facts) => ({
  client_id: 'app-…',
  client_id_issued_at: 1_790_000_000,
  registration_access_token: 'lk_ra_…',
  registration_client_uri: `${issuer}/register/app-…`,
  scope: writeScope(
    catalogue,
    catalogue.filter(({ changes }) => !changes).map(({ name }) => name),
  ),
});

/** Characters of a line that fit on a phone. */
const phoneLine = 42;

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return `{${members.join(', ')}}`;
}

/** JSON with a line for each member; an object or list inside takes one line where a phone has room for it. */
export function laidOut(value: object, indent = ''): string {
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const before = `${indent}  ${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}`;
      const line = before + onOneLine(member);
      return typeof member === 'object' && line.length > phoneLine ? before + laidOut(member, `${indent}  `) : line;
    });
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

export function documentExample(): PortalProgram {
  const client_id = `${exampleSite}/client.json`;
  // a document has no secret, so this method is its default
  const { token_endpoint_auth_method: _, ...metadata } = exampleMetadata(`${exampleSite}/callback`);
  return { id: 'document', name: client_id, about: [], text: laidOut({ client_id, ...metadata }) };
}
