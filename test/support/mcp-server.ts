import { json } from 'node:stream/consumers';
import { openServer } from '../libraries/application.ts';
import { post } from './flow.ts';
import { type Latchkey, registerResource } from './latchkey.ts';

/** What an MCP server publishes and demands, as the scenarios of @modelcontextprotocol/conformance vary it. */
export interface McpServerSettings {
  /** where its metadata are [9728]; null: it publishes none */
  metadataPath?: string | null;
  /** whether its challenge names that address */
  isNamed?: boolean;
  challengedScope?: string;
  scopes_supported?: string[];
  /** the scope of each method */
  needs?: Record<string, string>;
}

/**
 * An MCP server whose tokens are of this Latchkey: it asks about them as the photo printer, the client of its resource. Returns its
 * address, which is the resource.
 */
export async function startPlainMcpServer(
  { deps, database }: Latchkey,
  { metadataPath = '/.well-known/oauth-protected-resource/mcp', isNamed = true, ...settings }: McpServerSettings = {},
): Promise<string> {
  const { issuer } = deps.config;
  const { challengedScope, scopes_supported, needs = { 'tools/list': 'mcp:basic' } } = settings;
  const server = await openServer();
  const resource = `${server.origin}/mcp`;
  await registerResource(database, resource, ['mcp:basic', 'mcp:read', 'mcp:write'], 'photo-printer');
  server.answer(async (req, res) => {
    const answer = (status: number, body: object, challenge?: string) =>
      res
        .writeHead(status, { 'content-type': 'application/json', ...(challenge && { 'www-authenticate': challenge }) })
        .end(JSON.stringify(body));
    if (req.url === metadataPath) return answer(200, { resource, authorization_servers: [issuer], scopes_supported });
    if (req.url !== '/mcp') return answer(404, {});
    const metadata = isNamed && metadataPath !== null ? ` resource_metadata="${server.origin}${metadataPath}"` : '';
    const { method } = (await json(req)) as { method: string };
    const [, token] = /^Bearer (.+)$/.exec(req.headers.authorization ?? '') ?? [];
    const { body } = await post(`${issuer}/introspect`, { token: token ?? 'none' });
    const scope = challengedScope === undefined ? '' : ` scope="${challengedScope}",`;
    if (!body['active'] || body['aud'] !== resource) return answer(401, {}, `Bearer${scope}${metadata}`);
    const needed = needs[method] ?? '';
    if (String(body['scope']).split(' ').includes(needed)) return answer(200, { result: String(body['scope']) });
    return answer(403, {}, `Bearer error="insufficient_scope", scope="${needed}",${metadata}`);
  });
  return resource;
}
