import {
  exampleMcpResource,
  mcpServer as mcpServerInJavascript,
  mcpServerInPython,
} from '../registration/programs/libraries.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { exampleId, exampleOf, laidOut } from './examples.ts';
import type { Facts } from './facts.ts';
import { statusLine } from './messages.ts';
import type { PortalProgram, PortalSection } from './portal.view.ts';
import { parents } from './reference.ts';
import { askThem, type Chapter, pageAt, say } from './words.ts';

/** How to protect an MCP server with this server. */
export const mcpServer: Chapter = {
  path: '/developer/mcp-server',
  title: 'portal.mcp_server',
  about: 'portal.mcp_server.about',
  sections: (facts) => [registers(facts), clients(facts), publishes(facts), answers(facts), verifies(facts)],
};

/** A page of their own, since no page weighs more than 30 KiB. */
export const mcpServerPrograms: Chapter = {
  path: '/developer/mcp-server-programs',
  of_page: mcpServer.path,
  title: 'portal.mcp_server.programs',
  about: 'portal.mcp_server.programs.about',
  sections: (facts) => [
    { sentences: [say('portal.mcp_server.before', { page: pageAt(facts, '/developer/mcp-server') })] },
    {
      heading: say('connect.programs'),
      programs: [mcpServerInJavascript, mcpServerInPython].map((library) =>
        exampleOf(facts, library, false, undefined, { needed: [scope], audiences: [resource] }),
      ),
    },
  ],
};

const scope = 'mcp:tools';
const resource = exampleMcpResource;
const wellKnown = '/.well-known/oauth-protected-resource';
const metadata = `${new URL(resource).origin}${wellKnown}${new URL(resource).pathname}`;

const message = (id: string, name: string, text: string): PortalProgram => ({ id, name, about: [], text });

const refusal = (id: string, status: 401 | 403, text: string): PortalProgram => ({
  ...message(id, statusLine(status), text),
  label: say('portal.response'),
});

const registers = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.registers'),
  steps: [
    say('portal.mcp_server.application', { client_id: exampleId, page: pageAt(facts, '/developer/register') }),
    say('portal.mcp_server.resource'),
  ],
  programs: [
    {
      ...message(
        'mcp-registration',
        'SQL',
        `select register_scope(
  name => '${scope}',
  sentence => 'Use the tools of the MCP server');
select register_resource(
  resource => '${resource}',
  scopes => array['${scope}'],
  client_id => '${exampleId}');`,
      ),
      about: [say('portal.mcp_server.seed')],
    },
  ],
});

const clients = (facts: Facts): PortalSection => ({ sentences: [...howClientsCome(facts), ...askThem(facts)] });

const comeByThemselves = ({ client_id_documents, registration_endpoint }: Facts) =>
  client_id_documents || registration_endpoint === 'open';

/** What the settings of this server allow. */
function howClientsCome(facts: Facts) {
  const found = [
    ...(facts.client_id_documents ? [say('portal.mcp_server.documents', { client_id: 'client_id' })] : []),
    ...(facts.registration_endpoint === 'open' ? [say('portal.mcp_server.itself')] : []),
  ];
  const settings = { documents: 'CLIENT_ID_DOCUMENTS=on', endpoint: 'REGISTRATION_ENDPOINT=open' };
  return found.length > 0 ? found : [say('portal.mcp_server.registered'), say('portal.mcp_server.settings', settings)];
}

const publishes = ({ issuer }: Facts): PortalSection => ({
  heading: say('portal.mcp_server.publishes'),
  sentences: [say('portal.mcp_server.metadata', { path: wellKnown })],
  programs: [
    message(
      'mcp-metadata',
      `GET ${metadata}`,
      laidOut({
        resource,
        authorization_servers: [issuer],
        scopes_supported: [scope],
        bearer_methods_supported: ['header'],
      }),
    ),
  ],
});

const answers = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.answers'),
  sentences: [
    say('portal.mcp_server.challenge', { status: '401' }),
    say('portal.mcp_server.step_up', { status: '403' }),
    ...(comeByThemselves(facts) ? [say('portal.mcp_server.unregistered')] : []),
    say('portal.mcp_server.pass'),
  ],
  programs: [
    refusal('mcp-challenge', 401, `WWW-Authenticate: Bearer scope="${scope}", resource_metadata="${metadata}"`),
    refusal(
      'mcp-step-up',
      403,
      `WWW-Authenticate: Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${metadata}"`,
    ),
  ],
});

const verifies = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.verifies'),
  sentences: [
    say('portal.api.introspect', { introspect: calledEndpoints(facts).introspection_endpoint }),
    ...parents(facts.catalogue),
    say('portal.mcp_server.jwt', {
      jwks: `${facts.issuer}/jwks`,
      page: pageAt(facts, '/developer/api'),
    }),
    say('portal.api.refuse'),
    say('portal.mcp_server.see', { page: pageAt(facts, '/developer/mcp-server-programs') }),
  ],
});
