import { javascript } from '../console/source-text.ts';
import { advice, type Library, nobody, unreachable } from './library.ts';

export const openidClient: Library = {
  id: 'openid-client',
  name: 'openid-client',
  file: 'client.mjs',
  // it sends the address that it was called at, without the query, as redirect_uri
  answers_at: {
    accepts: (redirect_uri) => !redirect_uri.includes('?') && new URL(redirect_uri).href === redirect_uri,
    path: '/callback',
  },
  program: (connection) => javascript`
// npm install openid-client && node client.mjs
import { createInterface } from "node:readline/promises";
import * as client from "openid-client";

const authentication = ${connection.is_public ? javascript`client.None()` : javascript`client.ClientSecretPost(process.env.CLIENT_SECRET)`};
const config = await client.discovery(new URL(${connection.issuer}), ${connection.client_id}, {}, authentication, {
  algorithm: "oauth2",${connection.issuer.startsWith('http:') ? allowHttp : javascript``}
});

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const link = client.buildAuthorizationUrl(config, {
  redirect_uri: ${connection.redirect_uri},
  scope: ${connection.scope},
  state,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});
console.log("Open " + link);
console.log(${unreachable});

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const address = await terminal.question("Address to which the browser was sent: ");
terminal.close();
const checks = { pkceCodeVerifier: verifier, expectedState: state };
const tokens = await client.authorizationCodeGrant(config, new URL(address), checks).catch(refused);
const user = new URL(${`${connection.issuer}/user`});
const answer = await client.fetchProtectedResource(config, tokens.access_token, user, "GET").catch(refused);
const person = await answer.json();
// ${advice}
if (!answer.ok || !person.sub) refused({ message: "${nobody}", ...person });
console.log(person);

/** By the person, or by the server, for example for a wrong secret. */
function refused({ error, error_description, message, cause }) {
  console.error(error ? "The request was refused: " + error + " (" + error_description + ")" : (cause?.message ?? message));
  process.exit(1);
}`,
};

const allowHttp = javascript`
  execute: [client.allowInsecureRequests], // http is for development`;
