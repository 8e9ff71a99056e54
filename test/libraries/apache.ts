import { existsSync } from 'node:fs';
import { findFreePort } from '../support/free-port.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { startProgram } from './program.ts';

const program = '/usr/sbin/apache2';
const modules = '/usr/lib/apache2/modules';
const names = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'proxy', 'proxy_http', 'auth_openidc', 'oauth2'];
const areInstalled = [program, ...names.map((name) => `${modules}/mod_${name}.so`)].every((path) => existsSync(path));

/** The reason to skip a test, or false; always false in CI, so that a missing Apache fails there. */
export const skip =
  !process.env['CI'] &&
  !areInstalled &&
  'Apache is not installed (apt-get install apache2-bin libapache2-mod-auth-openidc libapache2-mod-oauth2)';

/** Starts Apache with these directives beside those that it needs to run; returns its origin once it listens. */
export async function startApache(directives: string, env = {}): Promise<string> {
  const port = await findFreePort();
  const lines = [
    `ServerRoot ${scratch}`,
    'ServerName 127.0.0.1',
    `Listen 127.0.0.1:${port}`,
    `DefaultRuntimeDir ${scratch}`,
    `PidFile ${scratch}/apache-${port}.pid`,
    'ErrorLog /dev/stderr',
    // started by root, Apache serves as another user
    'User nobody',
    ...names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    directives,
  ];
  const file = writeFile(`apache-${port}.conf`, lines.join('\n'));
  // its standard error is a pipe, because it cannot open the socket that Node would give it
  const apache = startProgram('sh', ['-c', `${program} -D FOREGROUND -f ${file} 2>&1 | cat`], { env });
  await apache.said(/resuming normal operations/);
  return `http://127.0.0.1:${port}`;
}
