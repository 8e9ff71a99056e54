import { once } from 'node:events';
import { createServer } from 'node:net';

const given = new Set<number>();

/**
 * For a server that cannot choose its port itself. Below the ports that the kernel gives to outgoing connections and to
 * listen(0), so that none of those takes it before the server does, or while the server is restarted; and never twice.
 */
export async function findFreePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  if (given.has(port) || !(await isFree(port))) return findFreePort();
  given.add(port);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
