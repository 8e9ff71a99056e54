// The login page of a website in Express, as SIGN_IN_URL=https://www.example/oauth-sign-in.
// npm install express express-session jose

import express from 'express';
import session from 'express-session';
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose';

const { LATCHKEY = '', WEBSITE = '', SIGN_IN_SECRET = '', SESSION_SECRET = '', PORT } = process.env;
const keys = createRemoteJWKSet(new URL(`${LATCHKEY}/jwks`));
const now = () => Math.floor(Date.now() / 1000);

/** What Latchkey asks; throws if it has not asked this website, or not within the last ten minutes. */
async function readRequest(req) {
  const checks = { issuer: LATCHKEY, audience: WEBSITE, typ: 'sign-in-request+jwt', algorithms: ['ES256'] };
  return (await jwtVerify(String(req.query.request), keys, checks)).payload;
}

/** Whether the person has to sign in, although they may have done so before; also to do so as somebody else. */
function mustSignIn({ user, signed_in_at = 0 }, { iat, prompt = '', max_age }) {
  if (prompt !== '') return user === undefined || signed_in_at < iat;
  return user === undefined || (max_age !== undefined && signed_in_at < now() - max_age);
}

/** Sends the browser back with what Latchkey may know of the person. */
async function answer(res, { user, signed_in_at }, { nonce, return_to }) {
  const claims = { nonce, auth_time: signed_in_at, username: user.name, email: user.email, email_verified: true };
  const response = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user.id)
    .setAudience(LATCHKEY)
    .setIssuedAt()
    .setExpirationTime('2 minutes')
    .setJti(crypto.randomUUID())
    .sign(new TextEncoder().encode(SIGN_IN_SECRET));
  res.redirect(`${return_to}?${new URLSearchParams({ response })}`);
}

// Here begins what your website has already: people, sessions and a form.
const people = [{ id: '8f1c', name: 'ada', password: 'correct horse battery', email: 'ada@www.example' }];
const form = ({
  nonce,
  return_to,
}) => `<form method="post"><input name="username"><input name="password" type="password">
  <button id="login">Sign in</button> <a href="${return_to}?nonce=${nonce}&amp;error=access_denied">Cancel</a></form>`;

const app = express();
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }));
app.use(express.urlencoded({ extended: false }));
app.use('/oauth-sign-in', async (req, res, next) => {
  req.asked = await readRequest(req).catch(() => undefined);
  return req.asked ? next() : res.status(400).send('This is no valid request of our sign-in server.');
});
app.get('/oauth-sign-in', (req, res) =>
  mustSignIn(req.session, req.asked) ? res.send(form(req.asked)) : answer(res, req.session, req.asked),
);
app.post('/oauth-sign-in', (req, res) => {
  const { username, password } = req.body;
  const user = people.find((person) => person.name === username && person.password === password);
  if (!user) return res.status(401).send(form(req.asked));
  req.session.regenerate(() => {
    Object.assign(req.session, { user, signed_in_at: now() });
    answer(res, req.session, req.asked);
  });
});
app.listen(PORT, '127.0.0.1', () => console.log('ready'));
