/** Rules about two variables, which are checked even if one is invalid by itself, so that all problems are reported at once. */
export function combinationProblems(env: Record<string, string | undefined>): string[] {
  const problems = [];
  if (env['DEMO'] === 'true' && env['NODE_ENV'] === 'production') {
    problems.push('DEMO: must not be true together with NODE_ENV=production: the password of the demo is well known');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && env['NODE_ENV'] === 'production') {
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 together with NODE_ENV=production');
  }
  if ((env['TLS_CERT_FILE'] === undefined) !== (env['TLS_KEY_FILE'] === undefined)) {
    problems.push('TLS_CERT_FILE, TLS_KEY_FILE: one is set without the other');
  }
  if (env['METRICS_PORT'] !== undefined && [env['PORT'] ?? '3000', env['MTLS_PORT']].includes(env['METRICS_PORT'])) {
    problems.push('METRICS_PORT: must not be PORT or MTLS_PORT, which strangers reach');
  }
  if ((env['SIGN_UP'] ?? 'off') !== 'off' && env['PASSWORDS'] === 'off') {
    problems.push('SIGN_UP: needs PASSWORDS=on');
  }
  const hasSmtp = (env['SMTP_URL'] ?? env['SMTP_URL_FILE']) !== undefined;
  if (hasSmtp !== (env['MAIL_FROM'] !== undefined)) {
    problems.push(hasSmtp ? 'SMTP_URL: needs MAIL_FROM' : 'MAIL_FROM: needs SMTP_URL');
  }
  return [...problems, ...certificateProblems(env), ...websiteProblems(env)];
}

/** Otherwise whoever connects directly counts as a proxy. A range of all addresses names nobody either. */
function namesProxies(trustProxy: string): boolean {
  return !/^(true|false|\d+)$/.test(trustProxy) && !/\/0*(\s*,|\s*$)/.test(trustProxy);
}

/** Returns what is missing where clients present certificates. */
function certificateProblems(env: Record<string, string | undefined>): string[] {
  const problems = [];
  const isSet = (name: string) => env[name] !== undefined;
  if (isSet('MTLS_PORT') && !isSet('TLS_CERT_FILE')) problems.push('MTLS_PORT: needs TLS_CERT_FILE');
  if (isSet('MTLS_PORT') && env['MTLS_PORT'] === (env['PORT'] ?? '3000')) {
    problems.push('MTLS_PORT: must not be PORT, where browsers connect');
  }
  if (isSet('CLIENT_CERT_HEADER') && !namesProxies(env['TRUST_PROXY'] ?? 'false')) {
    problems.push(
      'CLIENT_CERT_HEADER: needs the addresses of the proxies in TRUST_PROXY, such as loopback or 10.0.0.5: with a number or true, it would be believed from anybody',
    );
  }
  if (isSet('CLIENT_CERT_HEADER') && isSet('MTLS_PORT')) {
    problems.push('CLIENT_CERT_HEADER, MTLS_PORT: only one of them can be set');
  }
  for (const name of ['MTLS_URL', 'CLIENT_CA_FILE']) {
    if (isSet(name) && !isSet('MTLS_PORT') && !isSet('CLIENT_CERT_HEADER')) {
      problems.push(`${name}: needs MTLS_PORT or CLIENT_CERT_HEADER`);
    }
  }
  return problems;
}

/** The website's answers are verified in exactly one way, so that no answer can choose the weaker one. */
function websiteProblems(env: Record<string, string | undefined>): string[] {
  const isSet = (name: string) => env[name] !== undefined;
  const keys = [['SIGN_IN_SECRET', 'SIGN_IN_SECRET_FILE'], ['SIGN_IN_JWKS']].filter((names) => names.some(isSet));
  if (!isSet('SIGN_IN_URL')) return keys.map(([name]) => `${name}: needs SIGN_IN_URL`);
  if (keys.length === 0) return ['SIGN_IN_URL: needs SIGN_IN_SECRET or SIGN_IN_JWKS'];
  return keys.length > 1 ? ['SIGN_IN_SECRET, SIGN_IN_JWKS: only one of them can be set'] : [];
}
