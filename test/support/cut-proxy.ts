import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type IpcNetConnectOpts, type Socket, type TcpNetConnectOpts } from 'node:net';

/** A proxy between the program and Postgres that cuts the connection once, at a chosen moment. */
export interface CutProxy {
  url: string;
  /** at the next statement of this name: before Postgres hears of it, or after it has done it and before it says so */
  cut(statement: string, moment: 'before' | 'after'): void;
  /** acts once, when Postgres has done the next statement of this name and before the program hears of it */
  whenDone(statement: string, act: () => void): void;
  close(): void;
}

/** Where the database of a URL listens, for `connect`. */
export function databaseTarget(databaseUrl: string): TcpNetConnectOpts | IpcNetConnectOpts {
  const url = new URL(databaseUrl);
  const directory = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return directory?.startsWith('/')
    ? { path: `${directory}/.s.PGSQL.${port}` }
    : { host: directory ?? url.hostname, port };
}

export async function startCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = databaseTarget(databaseUrl);
  let planned: { statement: string; moment: 'before' | 'after' } | undefined;
  let awaited: { statement: string; act: () => void } | undefined;
  const server = createServer((near) => {
    const far = connect(target);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far] as Socket[]) socket.on('error', end).on('close', end);
    let isCut = false;
    let act: (() => void) | undefined;
    near.on('data', (bytes) => {
      if (planned && bytes.includes(planned.statement)) {
        isCut = true;
        const { moment } = planned;
        planned = undefined;
        if (moment === 'before') return end();
      }
      if (awaited && bytes.includes(awaited.statement)) {
        act = awaited.act;
        awaited = undefined;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isCut) return end();
      act?.();
      act = undefined;
      near.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(databaseUrl);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  through.searchParams.delete('host');
  return {
    url: through.href,
    cut(statement, moment) {
      planned = { statement, moment };
    },
    whenDone(statement, act) {
      awaited = { statement, act };
    },
    close: () => void server.close(),
  };
}
