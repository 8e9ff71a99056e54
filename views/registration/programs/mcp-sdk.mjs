// npm install @modelcontextprotocol/sdk
// <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>node mcp.mjs https://the-mcp-server.example/mcp
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const issuer = <%= issuer %>;
const redirectUrl = <%= redirect_uri %>;
// without this client, the SDK registers one,
// where the server lets applications register themselves
<% if (is_public) { -%>
let client = { issuer, client_id: <%= client_id %> };
<% } else { -%>
let client = {
  issuer,
  client_id: <%= client_id %>,
  client_secret: process.env.CLIENT_SECRET,
  token_endpoint_auth_method: "client_secret_post",
};
<% } -%>
const state = randomUUID();
let tokens, verifier;
const authProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: "Agent",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => client,
  saveClientInformation: (registered) => { client = registered; },
  state: () => state,
  tokens: () => tokens,
  saveTokens: (received) => { tokens = received; },
  codeVerifier: () => verifier,
  saveCodeVerifier: (made) => { verifier = made; },
  // the MCP server names where codes and secrets are sent,
  // so any other authorization server is refused [RFC 9700, 4.4]
  saveDiscoveryState: ({
    authorizationServerUrl: url,
    authorizationServerMetadata: metadata,
  }) => {
    const isKnown = [url, url.replace(/\/$/, "")].includes(issuer);
    if (isKnown && metadata?.issuer === issuer) return;
    stop(`The MCP server wants a sign-in at ${url}`);
  },
  redirectToAuthorization: (link) => {
    console.log(`Open ${link}`);
    console.log(<%= unreachable %>);
  },
};
const server = new URL(process.argv[2]);
const connect = async () => {
  const transport = new StreamableHTTPClientTransport(server, { authProvider });
  const agent = new Client({ name: "agent", version: "1.0.0" });
  await agent.connect(transport).catch((error) => {
    if (!(error instanceof UnauthorizedError)) throw error;
    return signIn(transport);
  });
  return agent.transport ? agent : connect();
};

async function signIn(transport) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const sent = await terminal.question("Address to which the browser was sent: ");
  terminal.close();
  const answer = Object.fromEntries(new URL(sent).searchParams);
  if (answer.state !== state || answer.iss !== issuer) {
    stop("this response does not belong to the request");
  }
  if (answer.error) refused(answer.error, answer.error_description);
  await transport
    .finishAuth(answer.code)
    .catch(({ errorCode, message }) => refused(errorCode, message));
}

const refused = (error, reason) =>
  stop(`The request was refused: ${error} (${reason})`);

function stop(reason) {
  console.error(reason);
  process.exit(1);
}

const agent = await connect();
console.log(await agent.listTools());
await agent.close();
