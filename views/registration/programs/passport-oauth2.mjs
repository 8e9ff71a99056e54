// npm install express express-session passport passport-oauth2
// <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>node server.mjs
import { randomBytes } from "node:crypto";
import express from "express";
import session from "express-session";
import passport from "passport";
import OAuth2Strategy from "passport-oauth2";

const strategy = new OAuth2Strategy(
  {
    authorizationURL: <%= issuer + '/authorize' %>,
    tokenURL: <%= issuer + '/token' %>,
    callbackURL: <%= redirect_uri %>,
    clientID: <%= client_id %>,
<% if (!is_public) { -%>
    clientSecret: process.env.CLIENT_SECRET,
<% } -%>
    scope: <%= scope %>,
    state: true,
    pkce: true,
  },
  (accessToken, refreshToken, profile, done) =>
    void readPerson(accessToken).then((person) => done(null, person), done),
);

async function readPerson(accessToken) {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const answer = await fetch(<%= issuer + '/user' %>, { headers });
  const person = await answer.json();
  // identify people by sub, never by address or name
  if (answer.ok && person.sub) return person;
  throw {
    code: person.error,
    message: person.error_description ?? "the server does not say who this is",
  };
}

const app = express();
const secret = randomBytes(32).toString("hex");
app.use(session({ secret, resave: false, saveUninitialized: false }));
app.get("/", passport.authenticate(strategy));
const check = ({ query: { iss, error, error_description } }, res, next) => {
  if (iss !== <%= issuer %>) {
    return res.status(400).send("this is not the answer to the request");
  }
  next(error && { code: error, message: error_description });
};
const signIn = passport.authenticate(strategy, { session: false });
app.get(<%= path %>, check, signIn, (req, res) => res.json(req.user));
app.use(({ code, message }, req, res, next) => {
  const refusal = `The request was refused: ${code} (${message})`;
  res.status(403).type("text").send(code ? refusal : message);
});
app.listen(<%= port %>, () => {
  console.log(<%= opening %>);
});
