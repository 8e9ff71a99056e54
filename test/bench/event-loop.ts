import { randomBytes } from 'node:crypto';
import { maxJwtLength } from '../../src/lib/jwt.ts';
import { type Algorithm, bigKey, signed } from './fapi-client.ts';
import type { Generator } from './generator.ts';
import { requests, type Template } from './requests.ts';
import { median, type Plan } from './rounds.ts';
import { client } from './servers/terms.ts';
import type { Stand } from './stand.ts';

// Whether signatures delay those who wait for something else: how late the server's timers are, and how long /healthz takes,
// while sixteen connections send token requests as fast as they are answered.

interface Quantiles {
  p50: number;
  p99: number;
}

/** Milliseconds. */
interface Delay {
  timers: Quantiles;
  health: Quantiles;
}

/** By what is sent meanwhile. */
export type Delays = Record<string, Delay>;

const algorithms: readonly Algorithm[] = ['ES256', 'PS256', 'EdDSA'];
const probesPerSecond = 100;
const health: Template = { method: 'GET', path: '/healthz', headers: {} };

interface Traffic {
  stand: Stand;
  template: Template;
  values(count: number): Promise<string[]>;
}

export async function measureDelays(
  plain: Stand,
  fapi: Stand,
  generators: readonly [Generator, Generator],
  plan: Plan,
): Promise<Delays> {
  const traffics = trafficsOf(plain, fapi);
  const taken = new Map<string, Delay[]>();
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const [name, traffic] of Object.entries(traffics)) {
      taken.set(name, [...(taken.get(name) ?? []), await measureDelay(traffic, generators, plan)]);
    }
  }
  return Object.fromEntries([...taken].map(([name, delays]) => [name, medianDelay(delays)]));
}

function trafficsOf(plain: Stand, fapi: Stand): Record<string, Traffic> {
  const template = fapi.contestant.requests.exchange;
  const signedBy = (alg: Algorithm): Traffic => ({
    stand: fapi,
    template,
    async values(count) {
      const codes = await fapi.issue('exchange', count);
      return Promise.all(codes.map((code) => signed('exchange', code, fapi.origin, alg)));
    },
  });
  return {
    'a secret': { stand: plain, template: requests.exchange, values: (count) => plain.valuesFor('exchange', count) },
    ...Object.fromEntries(algorithms.map((alg) => [`assertion and proof, ${alg}`, signedBy(alg)])),
    'a wrong secret': { stand: plain, template: wrongSecret, values: async (count) => Array(count).fill('') },
    'a wrong assertion of full length, RSA 4096': {
      stand: fapi,
      template: fapi.contestant.requests.par,
      values: async (count) => Array(count).fill(wrongAssertion()),
    },
  };
}

const wrongSecret: Template = {
  ...requests.par,
  headers: { ...requests.par.headers, Authorization: `Basic ${btoa(`${client.client_id}:wrong`)}` },
};

/** Any number of this size can be a signature, until the server has computed. */
export function wrongAssertion(): string {
  const header = { alg: 'PS256', kid: bigKey.kid };
  const payload = { iss: client.client_id, sub: client.client_id };
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = Buffer.concat([Buffer.alloc(1), randomBytes(511)]).toString('base64url');
  const space = maxJwtLength - encoded(header).length - signature.length - 2;
  const filled = { ...payload, filling: '' };
  filled.filling = 'x'.repeat(Math.floor((space * 3) / 4) - JSON.stringify(filled).length);
  return `- ${encoded(header)}.${encoded(filled)}.${signature}`;
}

async function measureDelay(
  { stand, template, values }: Traffic,
  [tokens, probes]: readonly [Generator, Generator],
  { seconds, warmUp }: Plan,
): Promise<Delay> {
  const { port } = stand.server;
  const first = await values(warmUp);
  const speed = first.length / (await tokens.drive({ ...template, port, values: first })).seconds;
  const all = await values(Math.ceil(speed * seconds));
  await readTimers(stand);
  const probed = probes.drive(
    { ...health, port, values: Array(Math.ceil(probesPerSecond * seconds)).fill(''), rate: probesPerSecond },
    200,
  );
  await tokens.drive({ ...template, port, values: all });
  const timers = await readTimers(stand);
  const { p50, p99 } = await probed;
  return { timers, health: { p50, p99 } };
}

/** Since the last time, as the server itself has observed it. */
async function readTimers({ origin }: Stand): Promise<Quantiles> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const of = (percentile: number) =>
    1000 *
    Number(
      new RegExp(`^latchkey_event_loop_delay_seconds\\{percentile="${percentile}"\\} (\\S+)`, 'm').exec(text)?.[1],
    );
  return { p50: of(50), p99: of(99) };
}

function medianDelay(delays: readonly Delay[]): Delay {
  const of = (which: keyof Delay, quantile: keyof Quantiles) => median(delays.map((one) => one[which][quantile]));
  const both = (which: keyof Delay) => ({ p50: of(which, 'p50'), p99: of(which, 'p99') });
  return { timers: both('timers'), health: both('health') };
}
