import { javascript } from '../console/source-text.ts';
import { advice, type Library, nobody, opening, portOf } from './library.ts';

/** Where it answers: its base path, and the name of the provider. */
const callback = /^https?:\/\/[^/]+(\/[\w./-]+)\/callback\/([\w-]+)$/;

export const authJs: Library = {
  id: 'auth-js',
  name: 'Auth.js',
  file: 'server.mjs',
  answers_at: { accepts: (redirect_uri) => callback.test(redirect_uri), path: '/auth/callback/latchkey' },
  program({ issuer, client_id, redirect_uri, scope, is_public, brand }) {
    const [, basePath = '', id = ''] = callback.exec(redirect_uri) ?? [];
    return javascript`
// npm install express @auth/express && node server.mjs
import { randomBytes } from "node:crypto";
import { ExpressAuth, getSession } from "@auth/express";
import express from "express";

const provider = {
  id: ${id},
  name: ${brand},
  type: "oauth",
  issuer: ${issuer},
  authorization: { url: ${`${issuer}/authorize`}, params: { scope: ${scope} } },
  token: ${`${issuer}/token`},
  userinfo: {
    url: ${`${issuer}/user`},
    async request({ tokens, provider }) {
      const answer = await fetch(provider.userinfo.url, { headers: { Authorization: "Bearer " + tokens.access_token } });
      const person = await answer.json();
      if (answer.ok && person.sub) return person;
      throw Object.assign(new Error("${nobody}"), person);
    },
  },
  clientId: ${client_id},${is_public ? withoutSecret : withSecret}
  checks: ["pkce", "state"],
  // ${advice}
  profile: ({ sub, name, username, email }) => ({ id: sub, name: name ?? username, email }),
};
const config = {
  providers: [provider],
  basePath: ${basePath},
  secret: randomBytes(32).toString("hex"),
  trustHost: true,
  callbacks: {
    // Auth.js invents another id at each sign-in
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
  logger: {
    error({ message, cause }) {
      const { error, error_description, message: reason = message } = cause?.err ?? {};
      console.error(error ? "The request was refused: " + error + " (" + error_description + ")" : reason);
    },
  },
};

const app = express();
app.set("trust proxy", true);
app.use(${basePath}, ExpressAuth(config));
app.get("/", async (req, res) => {
  const session = await getSession(req, config);
  if (session) res.json(session.user);
  else res.redirect(${`${basePath}/signin`});
});
app.listen(${portOf(redirect_uri)}, () => console.log(${opening(redirect_uri)}));`;
  },
};

const withSecret = javascript`
  clientSecret: process.env.CLIENT_SECRET,`;
const withoutSecret = javascript`
  client: { token_endpoint_auth_method: "none" },`;
