import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mcpDocuments } from './mcp-clients.ts';

/** What only this machine can reach, and two addresses that no list of special networks names. */
const privateAddresses = ['10.0.0.5/32', '100.64.0.1/32', '169.254.169.254/32', 'fd00::5/128'];
export const publicAddress = '11.22.33.44';
export const publicAddress6 = '2600::44';

const namespaces = ['--map-root-user', '--net', '--mount', '--'];

/**
 * Runs a test file again in a network of its own, where it can be any host of the internet: with addresses, its own name
 * server in resolv.conf and its own certificate authority. In there it returns false; where this is not permitted, why not.
 */
export async function enterNetwork(file: string): Promise<string | false> {
  if (process.env['LATCHKEY_TEST_NETWORK'] !== undefined) return false;
  const { status } = spawnSync('unshare', [...namespaces, 'sh', '-c', 'ip link set lo up && openssl version']);
  if (status !== 0) return 'needs openssl, unshare, ip (iproute2), and the permission to create network namespaces';
  const home = mkdtempSync(join(tmpdir(), 'latchkey-network-'));
  writeFileSync(join(home, 'resolv.conf'), 'nameserver 127.0.0.1\nsearch corp.example\n');
  createCertificates(home);
  const addresses = [`${publicAddress}/32`, `${publicAddress6}/128`, ...privateAddresses];
  const script = [
    'ip link set lo up',
    ...addresses.map((address) => `ip address add ${address} dev lo`),
    `mount --bind ${join(home, 'resolv.conf')} /etc/resolv.conf`,
    'exec "$@"',
  ].join(' && ');
  const program = [process.execPath, ...process.execArgv, fileURLToPath(file)];
  const env = {
    ...process.env,
    LATCHKEY_TEST_NETWORK: home,
    LATCHKEY_TEST_SERVER: await bridgeToDatabase(home),
    NODE_EXTRA_CA_CERTS: join(home, 'authority.pem'),
  };
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', ...program], { stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  rmSync(home, { recursive: true, force: true });
  process.exit(code ?? 1);
}

/** Another network cannot reach the ports of this one, but the sockets in its file system. */
async function bridgeToDatabase(home: string): Promise<string> {
  const server = new URL(process.env['LATCHKEY_TEST_SERVER'] ?? '');
  const [host, port] = [server.searchParams.get('host') ?? server.hostname, server.port || '5432'];
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
  const bridge = createServer((socket) => {
    const database = connect(target);
    socket.pipe(database).pipe(socket);
    for (const end of [socket, database]) end.on('error', () => [socket, database].map((one) => one.destroy()));
  });
  await once(bridge.listen(join(home, '.s.PGSQL.5432')), 'listening');
  server.host = 'localhost:5432';
  server.searchParams.set('host', home);
  return server.href;
}

/** Creates certificates of an authority, of sites that it vouches for, and of a site that nobody vouches for. */
function createCertificates(home: string): void {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const create = (name: string, subject: string, more: string[]) =>
    openssl(
      home,
      ['req', '-x509', ...kind, '-days', '2', '-keyout', `${name}-key.pem`, '-out', `${name}.pem`],
      [...['-subj', `/CN=${subject}`], ...more],
    );
  create('authority', 'Test', []);
  const sites = ['-addext', `subjectAltName=${siteNames.map((name) => `DNS:${name}`).join(',')}`];
  create('site', 'client.example', [...sites, '-CA', 'authority.pem', '-CAkey', 'authority-key.pem']);
  create('stranger', 'client.example', sites);
}

/** Its beginning looks like another site. */
export const longHost = 'accounts-google.com-sign-in-and-security-check-of-your-account.evil.example';

const siteNames = [
  'client.example',
  '*.client.example',
  'other.example',
  'xn--pple-43d.example',
  'a.github.io',
  ...mcpDocuments.map(({ document }) => new URL(document.client_id).hostname),
  longHost,
];

function openssl(home: string, ...args: string[][]): void {
  const { status, stderr } = spawnSync('openssl', args.flat(), { cwd: home, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
}
