import {
  exampleMcpResource,
  mcpServer as mcpServerInJavascript,
  mcpServerInPython,
} from '../registration/programs/libraries.ts';
import { api, checks, isUnavailable } from './api.ts';
import { introspection, statusLine } from './example-messages.ts';
import { exampleOf, laidOut, mcpServerId, registeringSql } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalProgram, PortalSection } from './portal.view.ts';
import { registering } from './registering.ts';
import { askThem, type Chapter, pageAt, say, sectionAt, term } from './words.ts';

/** How to protect an MCP server with this server. */
export const mcpServer: Chapter = {
  path: '/developer/mcp-server',
  title: 'portal.mcp_server',
  about: 'portal.mcp_server.about',
  sections: (facts) => [
    {
      sentences: [
        say('portal.mcp_server.roles'),
        say('portal.mcp_server.see', { page: pageAt(facts, mcpServerPrograms.path) }),
      ],
    },
    registers(facts),
    { heading: say('portal.clients'), bullets: howClientsCome(facts) },
    publishes(facts),
    verifies(facts),
    checksSigned(facts),
    refuses,
    lacks(facts),
  ],
};

/** A page of their own, since no page weighs more than 30 KiB. */
export const mcpServerPrograms: Chapter = {
  path: '/developer/mcp-server-programs',
  of_page: mcpServer.path,
  title: 'portal.mcp_server.programs',
  about: 'portal.mcp_server.programs.about',
  sections: (facts) => [
    {
      heading: say('portal.run'),
      steps: [
        say('portal.mcp_server.before', { page: pageAt(facts, mcpServer.path) }),
        say('portal.mcp_server.save', { secret: 'CLIENT_SECRET' }),
        say('portal.mcp_server.started', {
          ...{ request: `curl -i -X POST ${resource}`, status: statusLine(401) },
          header: `WWW-Authenticate: Bearer … resource_metadata="${metadata}"`,
        }),
        say('portal.mcp_server.try', {
          ...{ resource, tool: 'whoami', sub: 'sub' },
          page: pageAt(facts, '/developer/mcp-client'),
        }),
      ],
      facts: replaced,
    },
    {
      heading: say('connect.programs'),
      has_jumps: true,
      programs: [mcpServerInJavascript, mcpServerInPython].map((library) =>
        exampleOf(facts, library, false, undefined, { client_id: mcpServerId, needed: [scope], audiences: [resource] }),
      ),
    },
  ],
};

const scope = 'mcp:tools';
const resource = exampleMcpResource;
const wellKnown = '/.well-known/oauth-protected-resource';
const metadata = `${new URL(resource).origin}${wellKnown}${new URL(resource).pathname}`;

const message = (id: string, name: string, text: string): PortalProgram => ({ id, name, about: [], text });

/** How the MCP server refuses a request without a token. */
const challenge = `WWW-Authenticate: Bearer scope="${scope}", resource_metadata="${metadata}"`;

/** The values of the programs that whoever copies one replaces. */
const replaced: readonly PortalFact[] = [
  { name: term('resource'), about: [say('portal.mcp_server.value_resource', { resource })] },
  { name: term('scope'), about: [say('portal.mcp_server.value_scope', { scope })] },
  { name: term('client_id'), about: [say('portal.mcp_server.value_client', { client_id: mcpServerId })] },
];

const refusal = (id: string, status: 401 | 403, text: string): PortalProgram => ({
  ...message(id, statusLine(status), text),
  label: say('portal.response'),
});

const registers = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.registers'),
  steps: [
    say('portal.mcp_server.application', { client_id: mcpServerId, page: pageAt(facts, '/developer/register') }),
    say('portal.mcp_server.resource'),
  ],
  remarks: askThem(facts),
  programs: [
    {
      ...message(
        'mcp-registration',
        'SQL',
        registeringSql({ scope, sentence: 'Use the tools of the MCP server', resource, client_id: mcpServerId }),
      ),
      folded: say('portal.mcp_server.operator'),
      about: [say('portal.mcp_server.seed')],
    },
  ],
});

const comeByThemselves = ({ client_id_documents, registration_endpoint }: Facts) =>
  client_id_documents || registration_endpoint === 'open';

/** What the settings of this server allow. */
function howClientsCome(facts: Facts) {
  const found = [
    ...(facts.client_id_documents ? [say('portal.mcp_server.documents', { client_id: 'client_id' })] : []),
    ...(facts.registration_endpoint === 'open'
      ? [say('portal.mcp_server.itself', { page: sectionAt(facts, registering, 'portal.register.itself') })]
      : []),
  ];
  const settings = { documents: 'CLIENT_ID_DOCUMENTS=on', endpoint: 'REGISTRATION_ENDPOINT=open' };
  return found.length > 0 ? found : [say('portal.mcp_server.registered'), say('portal.mcp_server.settings', settings)];
}

const publishes = ({ issuer }: Facts): PortalSection => ({
  heading: say('portal.mcp_server.publishes'),
  sentences: [
    say('portal.mcp_server.metadata', { path: wellKnown }),
    say('portal.mcp_server.cors', { header: 'Access-Control-Allow-Origin: *' }),
  ],
  programs: [
    {
      ...message(
        'mcp-metadata',
        `GET ${new URL(metadata).pathname}`,
        laidOut({
          resource,
          authorization_servers: [issuer],
          scopes_supported: [scope],
          bearer_methods_supported: ['header'],
        }),
      ),
    },
  ],
});

function verifies(facts: Facts): PortalSection {
  const { sentences = [], ...checked } = checks(facts);
  return {
    ...checked,
    sentences: [say('portal.mcp_server.pass'), ...sentences],
    ...introspection(facts, { asking: mcpServerId, aud: resource, scope }),
  };
}

const checksSigned = (facts: Facts): PortalSection => ({
  heading: say('portal.api.signed'),
  sentences: [
    say('portal.mcp_server.jwt', { jwks: `${facts.issuer}/jwks`, aud: 'aud', page: pageAt(facts, api.path) }),
  ],
});

const refuses: PortalSection = {
  heading: say('portal.mcp_server.refuses'),
  facts: [
    {
      name: term(statusLine(401)),
      about: [say('portal.mcp_server.challenge', { resource_metadata: 'resource_metadata', scope: 'scope' })],
    },
    { name: term(statusLine(401)), about: [say('portal.mcp_server.invalid', { error: 'error="invalid_token"' })] },
    isUnavailable,
  ],
  programs: [refusal('mcp-challenge', 401, challenge)],
};

const lacks = (facts: Facts): PortalSection => ({
  heading: say('portal.mcp_server.lacks'),
  sentences: [
    say('portal.mcp_server.step_up', { status: '403' }),
    ...(comeByThemselves(facts) ? [say('portal.mcp_server.unregistered')] : []),
  ],
  programs: [
    refusal(
      'mcp-step-up',
      403,
      `WWW-Authenticate: Bearer error="insufficient_scope", scope="mcp:write", resource_metadata="${metadata}"`,
    ),
  ],
});
