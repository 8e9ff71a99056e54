import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port for a server that cannot choose its port itself. It is below the ports that kernels give to outgoing connections and to
 * listen(0), so that none of those takes it before the server does, or while the server is restarted; and no process gets it twice.
 */
export async function findFreePort(): Promise<number> {
  // above 10080, which fetch and browsers refuse
  const port = 10_100 + Math.floor(Math.random() * 5900);
  return (await reserve(port)) && (await isFree(port)) ? port : findFreePort();
}

/** The UDP port of the same number, which nobody else needs, keeps other test files and other runs from this one. */
async function reserve(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref();
  mark.bind({ port, address: '127.0.0.1', exclusive: true });
  return once(mark, 'listening').then(
    () => true,
    () => false,
  );
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
