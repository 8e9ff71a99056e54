import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import type { Server } from './cluster.ts';
import { documented } from './documented.ts';

/** As the option of a test: why it cannot run here, or false. */
export const withoutHaproxy = spawnSync('haproxy', ['-v']).status === 0 ? false : 'HAProxy is not installed';

interface Backends {
  /** ports of two instances of Latchkey */
  readonly instances?: readonly [number, number];
  /** ports of two database servers, and those where each says whether it is the primary */
  readonly databases?: readonly [number, number];
  readonly roles?: readonly [number, number];
}

export interface Haproxy {
  /** the ports of Latchkey and of the database */
  readonly web: number;
  readonly database: number;
  /** resolves when it says that the instance of this name is now in this state */
  sees(instance: 'one' | 'two', state: 'UP' | 'DOWN'): Promise<void>;
  /** all changes of state that it has said, with the reason */
  states(): string[];
}

/** HAProxy with the configuration of src/operations/surviving.md. */
export async function startHaproxy({ instances, databases, roles }: Backends): Promise<Haproxy> {
  const [web, database, unused] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const text = documented('haproxy.cfg', {
    ':443 ssl crt /etc/haproxy/id.example.pem': `127.0.0.1:${web}`,
    '10.0.0.1:3000': `127.0.0.1:${instances?.[0] ?? unused}`,
    '10.0.0.2:3000': `127.0.0.1:${instances?.[1] ?? unused}`,
    '127.0.0.1:5000': `127.0.0.1:${database}`,
    '10.0.0.11:5432 check port 8008': `127.0.0.1:${databases?.[0] ?? unused} check port ${roles?.[0] ?? unused}`,
    '10.0.0.12:5432 check port 8008': `127.0.0.1:${databases?.[1] ?? unused} check port ${roles?.[1] ?? unused}`,
  });
  const child = spawn('haproxy', ['-db', '-f', writeFile('haproxy.cfg', text)], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  after(() => child.kill('SIGKILL'));
  const states: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    const [, state] = /Server instances\/((one|two) is (UP|DOWN), reason: [^,]*)/.exec(line) ?? [];
    if (state) states.push(state);
  });
  const sees: Haproxy['sees'] = async (instance, state) => {
    while (!states.findLast((one) => one.startsWith(instance))?.startsWith(`${instance} is ${state}`)) await pause(20);
  };
  for (const port of [web, database]) await accepts(port);
  return { web, database, sees, states: () => states };
}

async function accepts(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
}

/** Answers like Patroni's REST interface whether a server is the primary; returns the port. */
export async function startRole(server: Server): Promise<number> {
  const role = createServer(async (_req, res) => {
    const answer = server.query('select not pg_is_in_recovery() as is_primary').catch(() => []);
    const [row] = await Promise.race([answer, pause(500, [])]);
    res.writeHead(row?.['is_primary'] ? 200 : 503).end();
  });
  await once(role.listen(0, '127.0.0.1'), 'listening');
  after(() => role.close());
  return (role.address() as AddressInfo).port;
}
