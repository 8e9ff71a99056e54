import { javascript } from '../console/source-text.ts';
import { advice, type Library, nobody, opening, portOf } from './library.ts';

export const passport: Library = {
  id: 'passport-oauth2',
  name: 'passport-oauth2',
  file: 'server.mjs',
  // in a path of Express, many other characters have a meaning
  answers_at: { accepts: (redirect_uri) => /^https?:\/\/[^/]+\/[\w./-]+$/.test(redirect_uri), path: '/callback' },
  program: ({ issuer, client_id, redirect_uri, scope, is_public }) => javascript`
// npm install express express-session passport passport-oauth2 && node server.mjs
import { randomBytes } from "node:crypto";
import express from "express";
import session from "express-session";
import passport from "passport";
import OAuth2Strategy from "passport-oauth2";

const strategy = new OAuth2Strategy(
  {
    authorizationURL: ${`${issuer}/authorize`},
    tokenURL: ${`${issuer}/token`},
    callbackURL: ${redirect_uri},
    clientID: ${client_id},${is_public ? javascript`` : secret}
    scope: ${scope},
    state: true,
    pkce: true,
  },
  (accessToken, refreshToken, profile, done) => void readPerson(accessToken).then((person) => done(null, person), done),
);

async function readPerson(accessToken) {
  const answer = await fetch(${`${issuer}/user`}, { headers: { Authorization: "Bearer " + accessToken } });
  const person = await answer.json();
  // ${advice}
  if (answer.ok && person.sub) return person;
  throw { code: person.error, message: person.error_description ?? "${nobody}" };
}

const app = express();
app.use(session({ secret: randomBytes(32).toString("hex"), resave: false, saveUninitialized: false }));
app.get("/", passport.authenticate(strategy));
const check = ({ query: { iss, error, error_description } }, res, next) => {
  if (iss !== ${issuer}) return res.status(400).send("this is not the answer to the request");
  next(error && { code: error, message: error_description });
};
app.get(${new URL(redirect_uri).pathname}, check, passport.authenticate(strategy, { session: false }), (req, res) => {
  res.json(req.user);
});
app.use(({ code, message }, req, res, next) => {
  res.status(403).type("text").send(code ? "The request was refused: " + code + " (" + message + ")" : message);
});
app.listen(${portOf(redirect_uri)}, () => console.log(${opening(redirect_uri)}));`,
};

const secret = javascript`
    clientSecret: process.env.CLIENT_SECRET,`;
