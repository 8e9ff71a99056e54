import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { after } from 'node:test';
import { createServer } from 'node:tls';
import { createCertificate } from '../support/certificate.ts';

/** The server of this origin with TLS in front, for software that accepts nothing else; and the file of its certificate. */
export async function startTls(origin: string): Promise<{ origin: string; certificate: string }> {
  const { TLS_CERT_FILE, TLS_KEY_FILE } = createCertificate();
  const target = Number(new URL(origin).port);
  const server = createServer({ cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) }, (socket) => {
    socket.pipe(connect(target, '127.0.0.1')).pipe(socket);
  }).listen(0, 'localhost');
  after(() => server.close());
  await once(server, 'listening');
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, certificate: TLS_CERT_FILE };
}
