import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

const home = process.env['KEYCLOAK_HOME'];

/** Keycloak is 180 MB and takes half a minute to start, so nobody needs it for the other tests. */
export const skip = home === undefined && 'needs KEYCLOAK_HOME, where the keycloak-quarkus-dist of Maven is unpacked';

export const person = { username: 'ada', password: 'the password of ada there', email: 'ada@acme.example' };
export const client = { client_id: 'latchkey', client_secret: 'the secret of latchkey at Keycloak' };

/** A realm with one client and one person, in a copy that is deleted; the address of its issuer. */
export async function startKeycloak(redirect_uri: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'latchkey-keycloak-'));
  cpSync(home ?? '', copy, { recursive: true });
  mkdirSync(join(copy, 'data', 'import'), { recursive: true });
  writeFileSync(join(copy, 'data', 'import', 'staff.json'), JSON.stringify(realmFor(redirect_uri)));
  const port = await findFreePort();
  const flags = ['start-dev', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`];
  const server = spawn(join(copy, 'bin', 'kc.sh'), flags, { detached: true, stdio: 'ignore' });
  after(() => stop(server, copy));
  const issuer = `http://127.0.0.1:${port}/realms/staff`;
  for (let waited = 0; waited < 240; waited += 1) {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined);
    if (answer?.ok) return issuer;
    await pause(1000);
  }
  throw new Error('Keycloak has not started in four minutes');
}

/** Stops the server and the shell that has started it. */
async function stop(server: ChildProcess, copy: string): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  if (server.pid !== undefined && server.exitCode === null) {
    process.kill(-server.pid, 'SIGKILL');
    await ended;
  }
  rmSync(copy, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

function realmFor(redirect_uri: string) {
  const { username, password, email } = person;
  const credentials = [{ type: 'password', value: password, temporary: false }];
  const name = { firstName: 'Ada', lastName: 'Lovelace' };
  const ofClient = { clientId: client.client_id, secret: client.client_secret, protocol: 'openid-connect' };
  return {
    realm: 'staff',
    enabled: true,
    sslRequired: 'none',
    clients: [{ ...ofClient, redirectUris: [redirect_uri], publicClient: false, standardFlowEnabled: true }],
    users: [{ username, email, emailVerified: true, enabled: true, ...name, credentials }],
  };
}
