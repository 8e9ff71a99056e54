// npm install express express-session passport passport-oauth2
// <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>node server.mjs
import { randomBytes } from "node:crypto";
import express from "express";
import session from "express-session";
import passport from "passport";
import OAuth2Strategy from "passport-oauth2";

<% if (asks_again) { -%>
const client_id = <%= client_id %>;
const client_secret = process.env.CLIENT_SECRET;
<% } -%>
const strategy = new OAuth2Strategy(
  {
    authorizationURL: <%= issuer + '/authorize' %>,
    tokenURL: <%= issuer + '/token' %>,
    callbackURL: <%= redirect_uri %>,
<% if (asks_again) { -%>
    clientID: client_id,
    clientSecret: client_secret,
<% } else { -%>
    clientID: <%= client_id %>,
<% if (!is_public) { -%>
    clientSecret: process.env.CLIENT_SECRET,
<% } -%>
<% } -%>
    scope: <%= scope %>,
    state: true,
    pkce: true,
  },
  (accessToken, refreshToken, profile, done) =>
    void readPerson(accessToken).then((person) => done(null, person), done),
);
<% if (asks_again) { -%>
strategy.authorizationParams = ({ max_age }) => (max_age ? { max_age } : {});
<% } -%>

async function readPerson(accessToken) {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const answer = await fetch(<%= issuer + '/user' %>, { headers });
  const person = await answer.json();
  // identify people by sub, never by email address or name
<% if (asks_again) { -%>
  if (answer.ok && person.sub) return { ...person, ...(await readTime(accessToken)) };
<% } else { -%>
  if (answer.ok && person.sub) return person;
<% } -%>
  throw {
    code: person.error,
    message: person.error_description ?? "the server does not say who this is",
  };
}

<% if (asks_again) { -%>
// when the person signed in
async function readTime(token) {
  const body = new URLSearchParams({ token, client_id, client_secret });
  const url = <%= issuer + '/introspect' %>;
  const answer = await fetch(url, { method: "POST", body });
  const { auth_time, error } = await answer.json();
  if (auth_time) return { auth_time };
  throw new Error(`no auth_time, but ${answer.status} ${error ?? ""}`);
}

<% } -%>
// what the session keeps: find your own record of the person by sub
<% if (asks_again) { -%>
passport.serializeUser(({ sub, username, auth_time }, done) =>
  done(null, { sub, username, auth_time }),
);
<% } else { -%>
passport.serializeUser(({ sub, username }, done) => done(null, { sub, username }));
<% } -%>
passport.deserializeUser((person, done) => done(null, person));

const app = express();
const secret = randomBytes(32).toString("hex");
const cookie = { sameSite: "lax" };
app.use(session({ secret, cookie, resave: false, saveUninitialized: false }));
app.use(passport.session());
<% if (asks_again) { -%>
// after the sign-in, back to where the person was
const signIn = passport.authenticate(strategy, {
  successReturnToOrRedirect: "/",
  keepSessionInfo: true,
});
<% } else { -%>
const signIn = passport.authenticate(strategy, { successRedirect: "/" });
<% } -%>
app.get("/", (req, res, next) => {
  if (!req.user) return signIn(req, res, next);
  const { sub, username = sub } = req.user;
  const name = username.replaceAll("<", "&lt;");
  const button = '<form method="post"><button>Sign out</button></form>';
  res.send(`Signed in as ${name} ${button}`);
});
<% if (asks_again) { -%>
// only for people who have signed in within the last five minutes
app.get("/important", (req, res, next) => {
  const isRecent = req.user?.auth_time > Date.now() / 1000 - 300;
  if (isRecent) return res.send("Here you can do something important");
  req.session.returnTo = req.originalUrl;
  passport.authenticate(strategy, { max_age: "300" })(req, res, next);
});
<% } -%>
app.post("/", (req, res, next) => {
  const done = (error) => (error ? next(error) : res.send("Signed out"));
  // a form of another site comes without the cookie, and must not replace it
  return req.user ? req.logOut(done) : done();
});
const check = ({ query: { iss, error, error_description } }, res, next) => {
  if (iss !== <%= issuer %>) {
    return res.status(400).send("this response does not belong to the request");
  }
  next(error && { code: error, message: error_description });
};
// Passport begins a new session here, which nobody else can know
app.get(<%= path %>, check, signIn);
app.use(({ code, message }, req, res, next) => {
  const refusal = `The request was refused: ${code} (${message})`;
  res.status(403).type("text").send(code ? refusal : message);
});
app.listen(<%= port %>, () => {
  console.log(<%= opening %>);
});
