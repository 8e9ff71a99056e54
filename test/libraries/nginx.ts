import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../support/free-port.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { startProgram } from './program.ts';

const program = process.env['NGINX'] ?? '/usr/sbin/nginx';

/** The reason to skip a test, or false; always false in CI, so that a missing nginx fails there. */
export const skip =
  !process.env['CI'] && !existsSync(program) && 'nginx is not installed (apt-get install nginx, or NGINX)';

/** Starts nginx with a file of its directory conf.d, which listens at 8080; returns its origin once it answers. */
export async function startNginx(file: string): Promise<string> {
  const port = await findFreePort();
  const directory = join(scratch, `nginx-${port}`);
  mkdirSync(directory);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  const lines = [
    `pid ${directory}/pid;`,
    'daemon off;',
    // started by root, nginx serves as another user, who cannot read this directory
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'error_log stderr notice;',
    'events {}',
    `http { access_log off; ${temporary.join(' ')}`,
    file.replace('listen 8080;', `listen 127.0.0.1:${port};`),
    '}',
  ];
  const path = writeFile(`nginx-${port}/nginx.conf`, lines.join('\n'));
  // its standard error is a pipe, because it cannot open the socket that Node would give it
  const nginx = startProgram('sh', ['-c', `${program} -e stderr -c ${path} 2>&1 | cat`]);
  await nginx.said(/start worker process \d+/);
  return `http://127.0.0.1:${port}`;
}
