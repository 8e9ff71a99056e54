// npm install express express-session passport passport-oauth2 && node server.mjs
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
  (accessToken, refreshToken, profile, done) => void readPerson(accessToken).then((person) => done(null, person), done),
);

async function readPerson(accessToken) {
  const answer = await fetch(<%= issuer + '/user' %>, { headers: { Authorization: "Bearer " + accessToken } });
  const person = await answer.json();
  // identify people by sub, never by address or name
  if (answer.ok && person.sub) return person;
  throw { code: person.error, message: person.error_description ?? "the server does not say who this is" };
}

const app = express();
app.use(session({ secret: randomBytes(32).toString("hex"), resave: false, saveUninitialized: false }));
app.get("/", passport.authenticate(strategy));
const check = ({ query: { iss, error, error_description } }, res, next) => {
  if (iss !== <%= issuer %>) return res.status(400).send("this is not the answer to the request");
  next(error && { code: error, message: error_description });
};
app.get(<%= path %>, check, passport.authenticate(strategy, { session: false }), (req, res) => {
  res.json(req.user);
});
app.use(({ code, message }, req, res, next) => {
  res.status(403).type("text").send(code ? "The request was refused: " + code + " (" + message + ")" : message);
});
app.listen(<%= port %>, () => console.log(<%= opening %>));
