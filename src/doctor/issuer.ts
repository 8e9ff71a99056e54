import type { Config } from '../config/config.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { type Arrival, arrivalHeader, createProbe, probeHeader, readArrival } from '../lib/probe.ts';

const deadlineMs = 5000;

/** Asks this server at its public address, as clients do, and compares what arrives there with the configuration. */
export async function issuerFindings(config: Config, sessionSecrets: readonly string[]): Promise<Finding[]> {
  const { issuer, base } = config;
  const { origin } = new URL(issuer);
  const probe = createProbe(sessionSecrets[0] ?? '', Date.now());
  try {
    const response = await fetch(`${origin}/.well-known/oauth-authorization-server${base}`, {
      headers: { [probeHeader]: probe, connection: 'close' },
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const arrived = response.headers.get(arrivalHeader);
    const body = await response.text();
    const named = issuerIn(body);
    if (response.status !== 200 || named !== issuer) return [wrongAnswer(issuer, response.status, named)];
    return arrived === null ? [unknownServer(issuer)] : arrivalFindings(config, readArrival(arrived));
  } catch (error) {
    return [unreachable(issuer, error as Error)];
  }
}

function issuerIn(body: string): string | undefined {
  try {
    const { issuer } = JSON.parse(body) as { issuer?: unknown };
    return typeof issuer === 'string' ? issuer : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with a certificate, by the code of the error of OpenSSL. */
const certificateProblems: readonly [codes: RegExp, what: string, change: string][] = [
  [/^CERT_HAS_EXPIRED$/, 'has expired', 'renew it'],
  [/^CERT_NOT_YET_VALID$/, 'is not valid yet', 'the clock of this machine, or another certificate'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'is for another name', 'a certificate for the host of ISSUER, or another ISSUER'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*)$/,
    'is not trusted by this machine: it is self-signed, its authority is unknown here, or the server does not send the whole chain',
    'if clients know its authority, run it with NODE_EXTRA_CA_CERTS=authority.pem; if not, a certificate that they trust, or the whole chain in TLS_CERT_FILE or the proxy',
  ],
];

function unreachable(issuer: string, { message, cause }: Error): Finding {
  const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
  const value = `ISSUER ${issuer}: ${reason}`;
  const [, problem, change = ''] = certificateProblems.find(([codes]) => codes.test(reason)) ?? [];
  if (problem !== undefined) {
    const what = `the certificate at the address of this server ${problem}`;
    return finding('warning', 'issuer_certificate', { what, value, change });
  }
  return finding('warning', 'issuer_unreachable', {
    what: 'nothing answers at the address of this server, as seen from here',
    value,
    change: 'start the server, or let the name and the proxy of ISSUER lead to it',
  });
}

function wrongAnswer(issuer: string, status: number, named: string | undefined): Finding {
  return finding('error', 'issuer_wrong', {
    what: 'clients find other metadata at the address of this server',
    value: `ISSUER ${issuer}: status ${status}, issuer ${named?.slice(0, 200) ?? 'missing'}`,
    change:
      named === undefined ? 'the proxy: it must pass /.well-known/ on to this server' : `ISSUER=${named.slice(0, 200)}`,
  });
}

function unknownServer(issuer: string): Finding {
  return finding('warning', 'issuer_other_server', {
    what: 'the server there does not recognize this command: it has another SESSION_SECRET or database, or another version',
    value: `ISSUER ${issuer}`,
    change: 'run latchkey doctor with the environment of the server',
  });
}

function arrivalFindings(config: Config, arrival: Arrival): Finding[] {
  return [...addressFindings(config, arrival), ...proxyFindings(config, arrival)];
}

function addressFindings({ issuer }: Config, { host, forwarded_proto }: Arrival): Finding[] {
  const expected = new URL(issuer);
  const found: Finding[] = [];
  if (host !== expected.host) {
    const what = 'the proxy changes the host name, so pages tell visitors that they came to the wrong address';
    const change = 'nginx: proxy_set_header Host $host; Apache: ProxyPreserveHost On';
    found.push(
      finding('warning', 'issuer_host', {
        what,
        value: `Host ${host ?? 'missing'} arrives for ISSUER ${issuer}`,
        change,
      }),
    );
  }
  const scheme = forwarded_proto?.split(',')[0]?.trim();
  if (scheme !== undefined && `${scheme}:` !== expected.protocol) {
    const what = 'the scheme that the proxy reports is not that of ISSUER';
    const change = `ISSUER=${scheme}://…, or in nginx: proxy_set_header X-Forwarded-Proto $scheme;`;
    found.push(
      finding('warning', 'issuer_scheme', {
        what,
        value: `X-Forwarded-Proto ${scheme} arrives for ISSUER ${issuer}`,
        change,
      }),
    );
  }
  return found;
}

function proxyFindings({ trust_proxy, issuer, tls }: Config, { forwarded_for, is_trusted }: Arrival): Finding[] {
  const report = (severity: 'error' | 'warning', check: string, what: string, change: string) => {
    const arrives =
      forwarded_for === 0 ? 'no X-Forwarded-For arrives' : `${forwarded_for} addresses in X-Forwarded-For`;
    return [
      finding(severity, check, { what, value: `${arrives}, TRUST_PROXY ${trust_proxy || 'is not set'}`, change }),
    ];
  };
  if (forwarded_for > 0 && !is_trusted) {
    const what =
      'the address of the proxy counts as that of every client, so one of them can use up the attempts of all';
    return report('error', 'proxy_untrusted', what, `TRUST_PROXY=${forwarded_for}, or the address of the proxy`);
  }
  if (forwarded_for === 0 && trust_proxy !== false) {
    const what = 'no proxy adds the address of the client, so every client can pretend to have another address';
    return report('error', 'proxy_missing', what, 'TRUST_PROXY= (nothing), or X-Forwarded-For in the proxy');
  }
  if (typeof trust_proxy === 'number' && forwarded_for !== trust_proxy) {
    const what = 'the number of proxies is wrong, so the address of a client is taken from the wrong place';
    return report('warning', 'proxy_hops', what, `TRUST_PROXY=${forwarded_for}`);
  }
  if (forwarded_for === 0 && !tls && issuer.startsWith('https:')) {
    const what =
      'a proxy speaks https for this server and hides the addresses of clients, so limits count all of them as one';
    return report('warning', 'proxy_hides_clients', what, 'X-Forwarded-For in the proxy, and TRUST_PROXY=1');
  }
  return [];
}
