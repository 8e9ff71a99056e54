import { listSigningKeys } from '../oauth/token/signing-keys.sql.ts';
import { describeKeys, rotateKey } from '../oauth/token/signing-keys.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { commandTrace, recordEvent } from './audit.ts';
import { command } from './command.ts';
import { formatTable } from './format.ts';
import { requireReader } from './shown-once.ts';
import { withSchema } from './with-database.ts';

export const listKeys = command({
  name: 'keys list',
  summary: 'List the keys that sign JWT access tokens, newest first.',
  details: 'A previous key stays published for a day, until everything it has signed has expired.',
  async run({ shell }) {
    const keys = describeKeys(await withSchema(shell, listSigningKeys));
    return {
      text: formatTable(keys, 'There are no signing keys yet: a key is created when it is needed.'),
      json: keys,
    };
  },
});

export const rotateKeys = command({
  name: 'keys rotate',
  summary: 'Add a signing key. It replaces the current key once all caches have it.',
  details: 'Needs the SESSION_SECRET of the server, which encrypts the keys.',
  async run({ shell }) {
    const settings = shell.config();
    const keys = await withSchema(shell, async (database) => {
      const sessionSecrets = await findSessionSecrets(settings, database);
      const isRotated = await rotateKey({ database, sessionSecrets }, commandTrace());
      if (!isRotated)
        throw new Error('SESSION_SECRET does not decrypt the newest signing key: set it as for the server.');
      return describeKeys(await listSigningKeys(database));
    });
    const [newest] = keys;
    const text = `Added the signing key ${newest?.kid}.\n\n${formatTable(keys, '')}`;
    return { text, json: newest };
  },
});

export const showSessionSecret = command({
  name: 'keys session-secret',
  summary: 'Print the secret in the database that signs cookies and encrypts keys, in order to keep it elsewhere.',
  details:
    'Set it as the second entry of SESSION_SECRET, after a new secret, for two hours. Whoever has it can sign in as anybody.',
  async run({ shell }) {
    const settings = shell.config();
    if (settings.session_secret !== undefined)
      throw new Error('SESSION_SECRET is set, and is used instead of the secret in the database.');
    requireReader(shell);
    const session_secret = await withSchema(shell, async (database) => {
      await recordEvent(database, { event: 'session_secret_shown' });
      const [secret = ''] = await findSessionSecrets(settings, database);
      return secret;
    });
    return { text: session_secret, json: { session_secret }, ifUnread: 'Nothing was changed: run the command again.' };
  },
});
