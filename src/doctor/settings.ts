import { type Config, misspelledVariables } from '../config/config.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { demoWarning } from '../playground/demo.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns what the environment says by itself. */
export function settingFindings(config: Config, env: Variables): Finding[] {
  const misspelled = misspelledVariables(env).map((sentence) => {
    const [name = '', , , , , , meant = ''] = sentence.split(' ');
    return finding('warning', 'variable_unknown', {
      what: sentence.replace(/\?$/, ''),
      value: name,
      change: `${meant.replace('?', '')}=…`,
    });
  });
  return [...misspelled, ...demoFindings(config), ...cookieFindings(config), ...trustFindings(config)];
}

function demoFindings(config: Config): Finding[] {
  const warning = demoWarning(config);
  if (warning === undefined) return [];
  const value = config.exposed_by ?? '';
  return [finding('error', 'demo_public', { what: warning.replace(/\.$/, ''), value, change: 'DEMO=false' })];
}

function cookieFindings({ secure, issuer, trust_proxy, production }: Config): Finding[] {
  if (secure || !(production || trust_proxy)) return [];
  return [
    finding('warning', 'cookies_not_secure', {
      what: 'browsers send the cookies of this server also over connections without TLS',
      value: `ISSUER ${issuer}`,
      change: 'ISSUER=https://…, the address that browsers use',
    }),
  ];
}

function trustFindings({ trust_proxy }: Config): Finding[] {
  if (trust_proxy !== true) return [];
  return [
    finding('warning', 'proxy_trusts_all', {
      what: 'every client can pretend to have another address, because every sender of X-Forwarded-For is trusted',
      value: 'TRUST_PROXY=true',
      change: 'TRUST_PROXY=1, the number of proxies in front, or their addresses',
    }),
  ];
}
