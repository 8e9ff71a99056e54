import express from 'express';
import { answerToken, findUser } from './floor-statements.ts';
import { port } from './pool.ts';

/** The floor of the framework: what Express 5, its own body parser and one statement cost. */
const app = express();
app.disable('x-powered-by').disable('etag');

app.post('/token', express.urlencoded({ extended: false }), async (req, res) => {
  const tokens = await answerToken(req.body);
  res
    .status(tokens ? 200 : 400)
    .set('Cache-Control', 'no-store')
    .json(tokens ?? { error: 'invalid_grant' });
});

app.get('/user', async (req, res) => {
  const user = await findUser(req.headers.authorization);
  res
    .status(user ? 200 : 401)
    .set('Cache-Control', 'no-store')
    .json(user ?? { error: 'invalid_token' });
});

app.listen(port, '127.0.0.1');
