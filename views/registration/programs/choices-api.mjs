// CLIENT_SECRET=lk_cs_… node api.mjs
import { createServer } from "node:http";

// the items of all people, with the values by which the choice names them
const items = [
  { owner: "1", id: "12", name: "Riverside" },
  { owner: "1", id: "13", name: "Hillside" },
  { owner: "2", id: "14", name: "Lakeside" },
  { owner: "1", id: "15", name: "Woodside" },
];

// without an object of this type, nothing was chosen: that never means everything
function seenBy({ sub, authorization_details: details = [] }) {
  const chosen = details.filter(({ type }) => type === <%= choice %>);
  const isAll = chosen.some(({ all }) => all === true);
  // `all` means all items of this person, so check the owner, too
  const isChosen = (id) =>
    isAll || chosen.some(({ identifier }) => identifier === id);
  return items.filter(({ owner, id }) => owner === sub && isChosen(id));
}

async function answer(req, res) {
  const refuse = (challenge, status = 401) =>
    res.writeHead(status, { "WWW-Authenticate": `Bearer ${challenge}` }).end();

  // 1. the token of the request
  const [, token] = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "") ?? [];
  if (!token) return refuse('realm="items"');

  // 2. ask the server about it; if it does not answer, respond with 503, because
  // a 401 would make the client discard a valid token
  const client_secret = process.env.CLIENT_SECRET;
  const asked = { token, client_id: <%= client_id %>, client_secret };
  const body = new URLSearchParams(asked);
  const asking = fetch(<%= issuer + '/introspect' %>, { method: "POST", body });
  // with a wrong CLIENT_SECRET, this shows a 401
  const read = async (it) =>
    it.ok ? it.json() : console.error(it.status, await it.text());
  const about = await asking.then(read).catch(console.error);
  if (!about) return res.writeHead(503, { "Retry-After": "5" }).end();

  // 3. a refresh token has no token_type, a token with cnf needs a proof of its key
  const isPlain = about.active && about.token_type === "Bearer" && !about.cnf;
  const isForUs = isPlain && about.aud === <%= audiences %>;
  if (!isForUs) return refuse('error="invalid_token"');

  // 4. the scope; a group stands for its scopes if all of them are granted
  const granted = about.scope.split(" ");
  const needed = [<%= needed %>];
  const lacks = `error="insufficient_scope", scope="${needed[0]}"`;
  if (!needed.some((name) => granted.includes(name))) return refuse(lacks, 403);

  // 5. what was chosen; everything else does not exist for the application
  const seen = seenBy(about);
  const [, path, id] = /^(\/items)(?:\/([^/]+))?$/.exec(req.url) ?? [];
  const one = seen.find((item) => item.id === id);
  const found = path && (id === undefined ? seen : one);
  if (!found) return res.writeHead(404).end();
  res.setHeader("Content-Type", "application/json").end(JSON.stringify(found));
}

const server = createServer(answer).listen(process.env.PORT ?? 8000, () => {
  console.log(`Listening at ${server.address().port}`);
});
