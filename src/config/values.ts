import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';
import { readKeySet } from '../lib/key-set.ts';
import { isMailAddress } from '../lib/mail-address.ts';
import { isVisible } from '../lib/one-line.ts';
import { isForWebsite, type KeySource } from '../lib/website.ts';

// How the value of one variable is checked and read. Which variables there are: config.ts.

/** A schema for an integer in a range, written in digits: 1e3, 10m and a blank are refused. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : Number.NaN))
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

export const integer = (min: number, max: number, defaultValue: number) => wholeNumber(min, max).default(defaultValue);

export const text = (problemOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

/** Says why a value is refused; undefined if it is accepted. */
type Problem = string | undefined;

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** An origin with an optional path; https unless it is loopback [6749 §3.1, §3.2]. */
export function issuerProblem(value: string): Problem {
  if (!URL.canParse(value)) return 'must be a URL such as https://id.example';
  const url = new URL(value);
  const isLoopbackHttp = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLoopbackHttp) return 'must be https';
  if (url.search || url.hash || url.username || url.password) return 'must have no query, fragment or user name';
  // the path begins links, where two slashes name another host, and is in cookies, where a semicolon ends it
  if (/\/\/|;/.test(url.pathname)) return 'must have no empty part and no semicolon in its path';
  if (!isPercentEncoded(url.pathname)) return 'must have escapes of UTF-8 in its path: %25 stands for %';
  const normal = url.pathname === '/' ? url.origin : url.origin + url.pathname.replace(/\/$/, '');
  if (value === normal) return undefined;
  return `must be normalised: lower-case host, no default port, no trailing slash, characters escaped as in ${normal}`;
}

/** An address of the operator to which browsers or this server are sent; the query is the operator's own. */
export function ownAddressProblem(value: string): Problem {
  if (!URL.canParse(value) || value.length > 1000) return 'must be a URL such as https://www.example/oauth-sign-in';
  const { protocol, hostname, username, password } = new URL(value);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) return 'must be https';
  if (username || password || value.includes('#')) return 'must have no fragment or user name';
  return charactersProblem(value);
}

/**
 * An address is also written into texts and mails, where a line end or an invisible character would turn it into another address.
 */
const charactersProblem = (value: string): Problem =>
  /^[!-~]+$/.test(value) && !/["<>\\]/.test(value)
    ? undefined
    : 'must be written in ASCII, without spaces, line ends and quotation marks: percent-encode them';

/** The address that people open for help: a page, or an address for a mail program. */
export function footerLinkProblem(value: string): Problem {
  const [, address] = /^mailto:(.*)$/s.exec(value) ?? [];
  if (address === undefined) return ownAddressProblem(value);
  return isMailAddress(address) ? undefined : 'must have an address after mailto:, and nothing else';
}

/** The server to which mails are handed over. The sentence quotes no part of the value, which may contain a password. */
export function smtpProblem(value: string): Problem {
  if (!URL.canParse(value) || !/^smtps?:$/.test(new URL(value).protocol)) {
    return 'must be a URL such as smtp://user:password@mail.example:587, or smtps://…';
  }
  const { hostname, username, password, pathname, search, hash } = new URL(value);
  if (hostname === '' || /[^\w.:[\]-]/.test(hostname)) return 'must have the name of a host';
  if (!/^\/?$/.test(pathname) || search || hash) {
    return 'must have nothing after the port; in the password, percent-encode characters such as / ? # @';
  }
  if ((username === '') !== (password === '')) return 'must have both a user name and a password, or neither';
  return isPercentEncoded(username) && isPercentEncoded(password)
    ? undefined
    : 'must have a percent-encoded user name and password: %25 stands for %';
}

function isPercentEncoded(text: string): boolean {
  try {
    return !/[\p{Cc}]/u.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

interface SmtpServer {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** TLS from the beginning, instead of STARTTLS */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** The ports are those of a submission with STARTTLS and with TLS [6409 §3.1; 8314 §3.3]. */
export function readSmtp(value: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(value);
  const secure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    url: value,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (secure ? 465 : 587)),
    secure,
    auth: username ? auth : undefined,
  };
}

interface Sender {
  readonly address: string;
  /** undefined: mails come from the name of the brand */
  readonly name: string | undefined;
}

/** Reads `address`, `Name <address>` or `"Name" <address>`; undefined for anything else. In quotation marks, a backslash quotes. */
export function readSender(value: string): Sender | undefined {
  const [, named, bracketed] = /^([^<]{1,200})<([^<>]+)>$/.exec(value) ?? [];
  const address = bracketed ?? value;
  const typed = named?.trim();
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(typed ?? '') ?? [];
  const name = quoted?.replace(/\\(.)/g, '$1') ?? typed;
  const isName =
    name === undefined || (name.trim() !== '' && isVisible(name) && (quoted !== undefined || !/["\\]/.test(name)));
  return isMailAddress(address) && isName ? { address, name } : undefined;
}

export function senderProblem(value: string): Problem {
  return readSender(value)
    ? undefined
    : 'must be an email address such as accounts@id.example, or a name and an address such as Acme <accounts@id.example>';
}

/** A shared secret must be as long as the digest of HS256 [7518 §3.2]. */
const sharedSecretBytes = 32;

export function sharedSecretProblem(secret: string): Problem {
  if (Buffer.byteLength(secret) < sharedSecretBytes) return `must have at least ${sharedSecretBytes} bytes`;
  return isGuessable(secret) ? 'looks made up, so somebody could guess it: openssl rand -hex 32 makes one' : undefined;
}

const isAddress = (value: string) => /^https?:/.test(value);

/** The value is the address of a set of keys, or a file with a set. */
export function keySetProblem(value: string): Problem {
  if (isAddress(value)) return ownAddressProblem(value);
  const problem = fileProblem(value);
  if (problem !== undefined) return `${problem}, or an https address`;
  const keys = readKeySet(readFileSync(value, 'utf8'))?.keys.filter(isForWebsite);
  return keys?.length ? undefined : 'must have a set of one to ten public keys, EC P-256 or Ed25519';
}

export function readKeySource(value: string): KeySource {
  if (isAddress(value)) return { jwks_uri: value };
  return { keys: readKeySet(readFileSync(value, 'utf8'))?.keys ?? [] };
}

/** The comma-separated values of a list, without spaces around them. */
export const listOf = (value: string): string[] => value.split(',').map((one) => one.trim());

/** The names of levels stand in headers between quotes, and in `acr_values` between spaces. */
const levelName = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,64}$/;

export function levelNamesProblem(value: string): Problem {
  const names = listOf(value);
  if (names.length !== 2 || new Set(names).size !== 2) return 'must be two different names, separated by a comma';
  if (names.every((name) => levelName.test(name))) return undefined;
  return 'must be names of at most 64 ASCII characters, without spaces, quotes and backslashes';
}

export function readLevelNames(value: string): readonly [string, string] {
  const [one = '', two = ''] = listOf(value);
  return [one, two];
}

export function elsewhereProblem(value: string): Problem {
  const isEntry = (one: string) =>
    /^(website|provider:[a-z0-9][a-z0-9-]{0,31}):(acr|amr)=[\x21-\x7e]{1,100}$/.test(one);
  return listOf(value).every(isEntry)
    ? undefined
    : 'must be such as website:amr=mfa or provider:NAME:acr=VALUE, several separated by commas';
}

/** The URL must have no password, because `fetch` refuses such a URL with an error that quotes it. */
export function collectorProblem(value: string): Problem {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    return 'must be the URL of a collector that takes OTLP over HTTP, such as http://localhost:4318';
  }
  const { username, password } = new URL(value);
  if (username || password) return 'must have no user name or password: use OTEL_EXPORTER_OTLP_HEADERS';
  return /[?#]/.test(value) ? 'must have no query or fragment' : undefined;
}

/** `name=value` pairs, separated by commas, with percent-encoded values, as the specification of OpenTelemetry has them. */
export function readHeaders(value: string): Record<string, string> {
  const pairs = value.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair));
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]));
}

/** The reverse of readHeaders. */
export const writeHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',');

/**
 * The headers that say how long the body is, how it is written and how the connection is used: a wrong value makes every request
 * fail.
 */
const ofMessages: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['content-encoding', 'content-length', 'content-type', 'expect', 'host'],
]);

export function headersProblem(value: string): Problem {
  try {
    const names = [...new Headers(readHeaders(value)).keys()];
    const found = names.find((name) => ofMessages.has(name));
    return found && `must not have ${found}, which this server sets itself`;
  } catch {
    return 'must be name=value, several separated by commas, with percent-encoded values';
  }
}

export function shareProblem(value: string): Problem {
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : 'must be a share from 0 to 1, such as 0.1';
}

export function logoProblem(value: string): Problem {
  if (!value.startsWith('https://') || !URL.canParse(value)) return 'must be an https URL';
  const { username, password } = new URL(value);
  return username || password ? 'must have no user name' : charactersProblem(value);
}

export function colorProblem(value: string): Problem {
  return readColor(value) ? undefined : 'must be a colour such as #0a6 or #00aa66';
}

export function fileProblem(path: string): Problem {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? undefined : 'must be the path of a file';
  } catch {
    return 'must be the path of a file that can be read';
  }
}

export function readCertificates(path: string): readonly X509Certificate[] {
  const blocks = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

export function authoritiesProblem(path: string): Problem {
  const problem = fileProblem(path);
  if (problem !== undefined) return problem;
  try {
    const authorities = readCertificates(path);
    return authorities.length > 0 && authorities.every(({ ca }) => ca)
      ? undefined
      : 'must have certificates of CAs only';
  } catch {
    return 'must have certificates in PEM';
  }
}

/** Accepts what Express accepts. Express itself would refuse a value only after the database was prepared. */
export function trustProxyProblem(value: string): Problem {
  if (/^(true|false|\d{1,3})$/.test(value)) return undefined;
  const isRange = (range: string) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    if (['loopback', 'linklocal', 'uniquelocal'].includes(range)) return true;
    return isIP(address) > 0 && Number(bits ?? 0) <= (isIPv4(address) ? 32 : 128);
  };
  const areValid = value.split(',').every((range) => isRange(range.trim()));
  return areValid ? undefined : 'must be true, false, a number of hops, or addresses such as 10.0.0.0/8, loopback';
}

/** Values of the Express setting `trust proxy`: a boolean, a number of hops, or addresses. */
export function readTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

export type Rgb = readonly [number, number, number];

/** `#rgb` or `#rrggbb`; undefined when the text is neither. */
export function readColor(text: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const pairs = digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [r = 0, g = 0, b = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [r, g, b];
}

/** Fewer than a machine would use by chance: one in 60,000 secrets of 32 random decimal digits has less. */
const fewestCharacters = 7;
const madeUp = /secret|password|passwort|change.?me|example|latchkey|0123456789|abcdef.?ghij|qwert|\btest\b/i;

/** Whether a person made it up, so that somebody could guess it. */
export function isGuessable(secret: string): boolean {
  const isRepeated = /^(.{1,16}?)\1+$/.test(secret);
  return isRepeated || madeUp.test(secret) || new Set(secret).size < fewestCharacters;
}
