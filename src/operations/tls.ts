import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server, ServerOptions } from 'node:https';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { counter } from '../telemetry/metric.ts';

type TlsFiles = NonNullable<Config['tls']>;

const fileInterval = 2000;

const reloads = counter(
  'latchkey_certificate_reloads_total',
  'Changes of TLS_CERT_FILE and TLS_KEY_FILE, by outcome.',
  {
    outcome: ['reloaded', 'failed'],
  },
);

/** Returns the options with the certificate, and the versions and cipher suites of RFC 9325 §3.1 and §4.2. */
export function tlsOptions({ cert, key }: TlsFiles): ServerOptions {
  const ciphers = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']
    .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
    .join(':');
  return {
    cert: readFileSync(cert),
    key: readFileSync(key),
    ciphers,
    honorCipherOrder: true,
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/**
 * Reloads the certificate: new connections get the certificate that the files contain, at every port at the same moment. While the two
 * files do not match, the previous one stays in use. It compares contents: fs.watchFile misses a change before its first look, and a
 * reading that fails once is tried again.
 */
export function reloadCertificate(servers: readonly Server[], files: TlsFiles, log: Logger): void {
  let seen = '';
  const use = () => {
    const options = readPair(files);
    const found = options instanceof Error ? options.message : `${options.cert}${options.key}`;
    if (found === seen) return false;
    seen = found;
    if (options instanceof Error) throw options;
    for (const server of servers) server.setSecureContext(options);
    return true;
  };
  const reload = () => {
    try {
      if (!use()) return;
      reloads.add('reloaded');
      log.info('the certificate was reloaded');
    } catch (err) {
      reloads.add('failed');
      log.warn(
        { err },
        'TLS_CERT_FILE and TLS_KEY_FILE have changed but cannot be used; the previous certificate stays',
      );
    }
  };
  use();
  setInterval(reload, fileInterval).unref();
}

function readPair(files: TlsFiles): ServerOptions | Error {
  try {
    return tlsOptions(files);
  } catch (error) {
    return error as Error;
  }
}
