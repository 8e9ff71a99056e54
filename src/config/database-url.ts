// The connection URI of libpq, which may name several hosts [PostgreSQL, 34.1.1.3]. The driver reads one host only.

/** Whichever of these is given, a server that accepts writes is used: what a standby answers may be out of date. */
const targets = ['any', 'read-write', 'primary'];

/** The parts of a URL; a password may contain commas and `@`: the hosts begin after the last `@`. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/s;

/** Returns a URL for each host, in the order of preference. */
export function readDatabaseUrl(url: string): readonly string[] {
  const [, start = '', authority = '', path = '', search = ''] = parts.exec(url) ?? [];
  const query = new URLSearchParams(search);
  const hosts = authority.split(',');
  if (hosts.length > 1) return hosts.map((host) => `${start}${host}${path}?${search}`);
  // hosts as parameters: the form for socket directories
  const named = query.get('host')?.split(',') ?? [];
  if (named.length < 2) return [url];
  const ports = query.get('port')?.split(',') ?? [];
  return named.map((host, index) => {
    query.set('host', host);
    query.set('port', (ports.length > 1 ? ports[index] : ports[0]) ?? '');
    return `${start}${authority}${path}?${query}`;
  });
}

/** Whether the parameter `port` names neither one port nor one for each host. */
function portsDoNotMatch(url: string, hosts: number): boolean {
  const ports = new URLSearchParams(url.split('?')[1]).get('port')?.split(',') ?? [];
  return ports.length > 1 && ports.length !== hosts;
}

/** Says why a URL is refused; undefined if it is accepted. Repeats no part of the URL, since it may contain a password. */
export function databaseUrlProblem(url: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'must begin with postgres://';
  const urls = readDatabaseUrl(url);
  const lacksHost = (one: string) => /^\w+:\/\/([^/?#]*@)?(:\d*)?[/?]/.test(one) && !/[?&]host=[^&]/.test(one);
  if (urls.length > 1 && urls.some(lacksHost)) return 'must have a host before and after each comma';
  if (urls.length > 1 && portsDoNotMatch(url, urls.length)) return 'must have one port for all hosts, or one for each';
  // the class URL, unlike the driver, refuses a URL without a host, whose query names a socket directory
  if (!urls.every((one) => URL.canParse(one.replace('@/', '@localhost/')))) {
    return 'must be a URL: percent-encode special characters';
  }
  const target = new URLSearchParams(url.split('?')[1]).get('target_session_attrs') ?? 'any';
  if (targets.includes(target)) return undefined;
  return 'target_session_attrs must be any, read-write or primary, since this server writes';
}
