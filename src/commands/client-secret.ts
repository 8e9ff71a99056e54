import { createSecret, digestOf } from '../protocol/secrets.ts';
import { registerNewClient } from '../store/client-registration.ts';
import { rotateClientSecret } from '../store/client-secrets.ts';
import { askSecret } from './ask.ts';
import { record } from './audit.ts';
import { demandClient, face } from './client.ts';
import { command, UsageError } from './command.ts';
import { migrationRule, withSchema } from './connect.ts';

export const createClient = command({
  name: 'client create',
  takes: ['ID'],
  summary: 'Register an application. Its secret is made here and shown once.',
  details: migrationRule,
  options: {
    name: { type: 'string', required: true, value: 'NAME', help: 'what people see' },
    'site-domain': { type: 'string', required: true, value: 'HOST', help: 'all its redirection URIs lie within it' },
    'redirect-uri': { type: 'string', required: true, multiple: true, value: 'URI', help: 'repeat for further ones' },
    scope: { type: 'string', required: true, multiple: true, value: 'SCOPE', help: 'what it may ask for; repeatable' },
    'required-scope': { type: 'string', multiple: true, value: 'SCOPE', help: 'what nobody may untick; repeatable' },
    public: { type: 'boolean', help: 'has no secret and must use PKCE' },
    'secret-stdin': { type: 'boolean', help: 'read the secret from standard input instead' },
    'resource-server': { type: 'boolean', help: 'may introspect the tokens of all clients' },
    'homepage-uri': { type: 'string', value: 'URI', help: 'where people learn about it, within the site domain' },
    'logo-uri': { type: 'string', value: 'URI', help: 'its picture, within the site domain' },
  },
  async run({ words: [client_id = ''], options, config }) {
    if (options.public && options['secret-stdin'])
      throw new UsageError('client create: a --public client has no secret');
    if (options.public && options['resource-server']) {
      throw new UsageError('client create: a --resource-server proves itself by a secret, so it cannot be --public');
    }
    const settings = config();
    const made = options.public || options['secret-stdin'] ? null : createSecret('client_secret');
    const registration = {
      client_id,
      client_secret: options['secret-stdin'] ? await askSecret('Client secret') : made,
      name: options.name,
      site_domain: options['site-domain'],
      redirect_uris: options['redirect-uri'],
      scopes: options.scope.flatMap(splitScope),
      required_scopes: options['required-scope'].flatMap(splitScope),
      homepage_uri: options['homepage-uri'] ?? null,
      logo_uri: options['logo-uri'] ?? null,
      resource_server: options['resource-server'],
    };
    const client = await withSchema(settings, async (database) => {
      const isNew = await registerNewClient(database, registration);
      if (!isNew) throw new Error(`There is a client "${client_id}" already.`);
      await record(database, { event: 'client_registered', client_id });
      return demandClient(database, client_id);
    });
    const text = `Registered the client "${client_id}".${made ? `\n${showSecret(made)}` : ''}`;
    return { text, json: { ...face(client), ...(made ? { client_secret: made } : {}) } };
  },
});

function splitScope(value: string): string[] {
  return value.split(/[\s,]+/).filter((name) => name !== '');
}

function showSecret(secret: string): string {
  return `Its secret, shown only now:\n${secret}`;
}

export const rotateSecret = command({
  name: 'client rotate-secret',
  takes: ['ID'],
  summary: 'Make a new secret for an application and show it once.',
  details: `The secret before it stays valid until the next rotation; rotate twice to end one that leaked.\n${migrationRule}`,
  options: {},
  async run({ words: [client_id = ''], config }) {
    const client_secret = createSecret('client_secret');
    await withSchema(config(), async (database) => {
      const isRotated = await rotateClientSecret(database, client_id, digestOf(client_secret));
      if (isRotated) return record(database, { event: 'client_secret_added', client_id });
      await demandClient(database, client_id);
      throw new Error(`The client "${client_id}" is public: it has no secret.`);
    });
    const rule = 'The secret before it stays valid until the next rotation.';
    return { text: `${showSecret(client_secret)}\n${rule}`, json: { client_id, client_secret } };
  },
});
