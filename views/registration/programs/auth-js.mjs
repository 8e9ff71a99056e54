// npm install express @auth/express
// <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>node server.mjs
import { randomBytes } from "node:crypto";
import { ExpressAuth, getSession } from "@auth/express";
import express from "express";

const provider = {
  id: <%= id %>,
  name: <%= brand %>,
  type: "oauth",
  issuer: <%= issuer %>,
  authorization: {
    url: <%= issuer + '/authorize' %>,
    params: { scope: <%= scope %> },
  },
  token: <%= issuer + '/token' %>,
  userinfo: {
    url: <%= issuer + '/user' %>,
    async request({ tokens, provider }) {
      const headers = { Authorization: `Bearer ${tokens.access_token}` };
      const answer = await fetch(provider.userinfo.url, { headers });
      const person = await answer.json();
      if (answer.ok && person.sub) return person;
      throw Object.assign(new Error("the server does not say who this is"), person);
    },
  },
  clientId: <%= client_id %>,
<% if (is_public) { -%>
  client: { token_endpoint_auth_method: "none" },
<% } else { -%>
  clientSecret: process.env.CLIENT_SECRET,
<% } -%>
  checks: ["pkce", "state"],
  // identify people by sub, never by email address or name
  profile: ({ sub, name, username, email }) => ({
    id: sub,
    name: name ?? username,
    email,
  }),
};
const config = {
  providers: [provider],
  basePath: <%= base_path %>,
  secret: randomBytes(32).toString("hex"),
  trustHost: true,
  callbacks: {
    // Auth.js invents another id at each sign-in
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({
      ...session,
      user: { ...session.user, id: token.sub },
    }),
  },
  logger: {
    error({ message, cause }) {
      const problem = cause?.err ?? {};
      const { error, error_description, message: reason = message } = problem;
      const refusal = `The request was refused: ${error} (${error_description})`;
      console.error(error ? refusal : reason);
    },
  },
};

const app = express();
app.set("trust proxy", true);
app.use(<%= base_path %>, ExpressAuth(config));
app.get("/", async (req, res) => {
  const session = await getSession(req, config);
  if (session) res.json(session.user);
  else res.redirect(<%= base_path + '/signin' %>);
});
app.listen(<%= port %>, () => {
  console.log(<%= opening %>);
});
