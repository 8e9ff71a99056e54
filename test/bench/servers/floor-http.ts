import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerToken, findUser } from './floor-statements.ts';
import { port } from './pool.ts';

/** The floor: what node:http and one statement cost. */
createServer(async (req, res) => {
  if (req.url === '/token') answer(res, await answerToken(Object.fromEntries(new URLSearchParams(await bodyOf(req)))));
  else if (req.url === '/user') answer(res, await findUser(req.headers.authorization));
  else answer(res, undefined);
}).listen(port, '127.0.0.1');

function answer(res: ServerResponse, body: object | undefined): void {
  const text = JSON.stringify(body ?? { error: 'invalid_grant' });
  res.writeHead(body ? 200 : 400, {
    'Content-Type': 'application/json;charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}

function bodyOf(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      text += chunk;
    });
    req.on('end', () => resolve(text));
    req.on('error', reject);
  });
}
