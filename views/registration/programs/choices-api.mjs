// node api.mjs
import { createServer } from "node:http";

// the things of all people, with the values by which the choice names them
const things = [
  { owner: "1", id: "12", name: "Acme" },
  { owner: "1", id: "13", name: "Bakery" },
  { owner: "2", id: "14", name: "Circus" },
];

// without an object of this type, the token shows nothing: that is never all
function seenBy({ sub, authorization_details: details = [] }) {
  const chosen = details.filter(({ type }) => type === <%= choice %>);
  const isAll = chosen.some(({ all }) => all === true);
  // all are all of this person, so the owner counts as well
  return things.filter(({ owner, id }) => owner === sub && (isAll || chosen.some(({ identifier }) => identifier === id)));
}

async function answer(req, res) {
  const refuse = (challenge, status = 401) => res.writeHead(status, { "WWW-Authenticate": `Bearer ${challenge}` }).end();
  const [, token] = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "") ?? [];
  if (!token) return refuse('realm="things"');
  const question = { token, client_id: <%= client_id %>, client_secret: process.env.CLIENT_SECRET };
  const asking = fetch(<%= issuer + '/introspect' %>, { method: "POST", body: new URLSearchParams(question) });
  const about = await asking.then((asked) => asked.ok && asked.json()).catch(console.error);
  // nobody knows whether the token is good, so this is no 401, which would make the client throw it away
  if (!about) return res.writeHead(503, { "Retry-After": "5" }).end();
  // a refresh token has no token_type; a token with cnf is good only with a proof of its key; aud names the API that a token is for
  const isForUs = about.active && about.token_type === "Bearer" && !about.cnf && about.aud === <%= audiences %>;
  if (!isForUs) return refuse('error="invalid_token"');
  const granted = about.scope.split(" ");
  // a group of which all scopes are granted is stated instead of them, so its name counts, too
  if (![<%= needed %>].some((name) => granted.includes(name))) return refuse('error="insufficient_scope"', 403);
  const seen = seenBy(about);
  const [, path, id] = /^(\/things)(?:\/([^/]+))?$/.exec(req.url) ?? [];
  const found = path && (id === undefined ? seen : seen.find((thing) => thing.id === id));
  // what was not chosen does not exist for the application
  if (!found) return res.writeHead(404).end();
  res.setHeader("Content-Type", "application/json").end(JSON.stringify(found));
}

const server = createServer(answer).listen(process.env.PORT ?? 8000, () => console.log(`Listening at ${server.address().port}`));
