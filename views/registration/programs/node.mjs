// CLIENT_SECRET=lk_cs_… node api.mjs
import { createServer } from "node:http";

const CLIENT_ID = <%= client_id %>;
<% if (audiences.length > 0) { -%>
const RESOURCES = [<%= audiences %>];
<% } -%>
// add the group of this scope here, if it has one
const SCOPES = [<%= needed %>];

async function ask(token) {
  const client_secret = process.env.CLIENT_SECRET;
  const asked = { token, client_id: CLIENT_ID, client_secret };
  const init = { method: "POST", body: new URLSearchParams(asked) };
  const answer = await fetch(<%= issuer + '/introspect' %>, init);
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

async function respond(req, res) {
  if (req.url !== "/api/me") return res.writeHead(404).end();
  const refuse = (status, challenge) =>
    res.writeHead(status, { "WWW-Authenticate": `Bearer${challenge}` }).end();

  const [, sent] = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "") ?? [];
  if (!sent) return refuse(401, "");
  const token = await ask(sent).catch(console.error);
  // without an answer, a 401 would make the client throw a good token away
  if (!token) return res.writeHead(503, { "Retry-After": "5" }).end();
  // a refresh token has no token_type, a token with cnf needs a proof of its key
  const isPlain = token.active && token.token_type === "Bearer" && !token.cnf;
  if (!isPlain || <% if (audiences.length === 0) { %>token.aud<% } else { %>!RESOURCES.includes(token.aud)<% } %>) {
    return refuse(401, ' error="invalid_token"');
  }
  const { sub, scope = "" } = token;
  if (!scope.split(" ").some((name) => SCOPES.includes(name))) {
    return refuse(403, ` error="insufficient_scope", scope="${SCOPES[0]}"`);
  }
  // identify people by sub, never by email address or name
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ sub, scope }));
}

createServer(respond).listen(8000, () => console.log("Listening at 8000"));
