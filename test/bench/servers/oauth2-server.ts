import OAuth2Server from '@node-oauth/oauth2-server';
import express, { type Response } from 'express';
import { model } from './oauth2-model.ts';
import { port } from './pool.ts';
import { lifetimes } from './terms.ts';

/** The peer that is a library for Express. */
const oauth = new OAuth2Server({
  model,
  accessTokenLifetime: lifetimes.access_token,
  refreshTokenLifetime: lifetimes.refresh_token,
});
const app = express();
app.disable('x-powered-by').disable('etag');

app.post('/token', express.urlencoded({ extended: false }), async (req, res) => {
  const response = new OAuth2Server.Response(res);
  try {
    await oauth.token(new OAuth2Server.Request(req), response);
    res.status(200);
  } catch (error) {
    refuse(res, error);
  }
  res.set(response.headers ?? {}).json(response.body);
});

app.get('/user', async (req, res) => {
  try {
    const token = await oauth.authenticate(new OAuth2Server.Request(req), new OAuth2Server.Response(res));
    res.json(token.user);
  } catch (error) {
    refuse(res, error).json({ error: 'invalid_token' });
  }
});

function refuse(res: Response, error: unknown): Response {
  return res.status(error instanceof OAuth2Server.OAuthError ? error.code : 500);
}

app.listen(port, '127.0.0.1');
