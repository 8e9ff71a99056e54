// npm install @modelcontextprotocol/sdk express
// CLIENT_SECRET=lk_cs_… node mcp-server.mjs
import {
  getOAuthProtectedResourceMetadataUrl,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  StreamableHTTPServerTransport,
} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";

const issuer = <%= issuer %>;
// exactly as the operator of the issuer has registered it
const resource = <%= resource %>;
const scope = <%= needed.slice(0, 1) %>;
const client_id = <%= client_id %>;
const metadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(resource));

async function requireToken(req, res, next) {
  // the challenge names the scope, so that a client knows what to ask for
  const refuse = (status, error) => {
    const needed = `scope="${scope}", resource_metadata="${metadataUrl}"`;
    res.set("WWW-Authenticate", `Bearer ${error}${needed}`).sendStatus(status);
  };
  const [, token] = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "") ?? [];
  if (!token) return refuse(401, "");
  const body = new URLSearchParams({
    token,
    client_id,
    client_secret: process.env.CLIENT_SECRET,
  });
  const asking = fetch(`${issuer}/introspect`, { method: "POST", body });
  const answer = await asking.catch(console.error);
  // with a wrong CLIENT_SECRET, this shows a 401
  if (answer && !answer.ok) console.error(answer.status, await answer.text());
  // without an answer, a 401 would make the client throw a good token away
  if (!answer?.ok) return res.set("Retry-After", "5").sendStatus(503);
  const about = await answer.json();
  // a refresh token has no token_type, a token with cnf needs a proof of its key
  const isPlain = about.active && about.token_type === "Bearer" && !about.cnf;
  // aud names the API that a token is for
  const isForUs = isPlain && about.aud === resource;
  if (!isForUs) return refuse(401, 'error="invalid_token", ');
  const scopes = about.scope.split(" ");
<% if (needed.length > 1) { -%>
  // a group stands for its scopes if all of them are granted
  const isGranted = [<%= needed %>].some((name) => scopes.includes(name));
<% } else { -%>
  const isGranted = scopes.includes(scope);
<% } -%>
  if (!isGranted) return refuse(403, 'error="insufficient_scope", ');
  req.auth = {
    token,
    clientId: about.client_id,
    expiresAt: about.exp,
    scopes,
    extra: { sub: about.sub },
  };
  next();
}

const app = express();
app.get(new URL(metadataUrl).pathname, (_req, res) => {
  res.set("Access-Control-Allow-Origin", "*");
  res.json({
    resource,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ["header"],
  });
});
app.post(new URL(resource).pathname, requireToken, async (req, res) => {
  const mcp = new McpServer({ name: "sample", version: "1.0.0" });
  // identify people by sub, never by email address or name
  mcp.registerTool("whoami", { description: "The person" }, ({ authInfo }) => ({
    content: [{ type: "text", text: authInfo.extra.sub }],
  }));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
  });
  res.on("close", () => transport.close());
  await mcp.connect(transport);
  await transport.handleRequest(req, res);
});
app.all(new URL(resource).pathname, (_req, res) => void res.sendStatus(405));
app.listen(<%= port %>, () => console.log("Listening for " + resource));
