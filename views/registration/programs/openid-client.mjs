// npm install openid-client
// <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>node client.mjs
import { createInterface } from "node:readline/promises";
import * as client from "openid-client";

const config = await client.discovery(
  new URL(<%= issuer %>),
  <%= client_id %>,
  {},
  <% if (is_public) { %>client.None()<% } else { %>client.ClientSecretPost(process.env.CLIENT_SECRET)<% } %>,
  {
    algorithm: "oauth2",
<% if (issuer.startsWith('http:')) { -%>
    execute: [client.allowInsecureRequests], // http is for development
<% } -%>
  },
);

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const link = client.buildAuthorizationUrl(config, {
  redirect_uri: <%= redirect_uri %>,
  scope: <%= scope %>,
  state,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});
console.log("Open " + link);
console.log(<%= unreachable %>);

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const address = await terminal.question("Address to which the browser was sent: ");
terminal.close();
const checks = { pkceCodeVerifier: verifier, expectedState: state };
const tokens = await client
  .authorizationCodeGrant(config, new URL(address), checks)
  .catch(refused);
const user = new URL(<%= issuer + '/user' %>);
const answer = await client
  .fetchProtectedResource(config, tokens.access_token, user, "GET")
  .catch(refused);
const person = await answer.json();
// identify people by sub, never by email address or name
if (!answer.ok || !person.sub) {
  refused({ message: "the server does not say who this is", ...person });
}
console.log(person);

/** Reports what the person refused, or the server, for example for a wrong secret. */
function refused({ error, error_description, message, cause }) {
  const refusal = `The request was refused: ${error} (${error_description})`;
  console.error(error ? refusal : (cause?.message ?? message));
  process.exit(1);
}
