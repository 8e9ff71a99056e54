import { describeKeys, rotateKey } from '../grants/signing-keys.ts';
import { findSessionSecrets } from '../store/settings.ts';
import { listSigningKeys } from '../store/signing-keys.ts';
import { commandTrace } from './audit.ts';
import { command } from './command.ts';
import { formatTable } from './format.ts';
import { migrationNote, withSchema } from './with-database.ts';

export const listKeys = command({
  name: 'keys list',
  summary: 'List the keys that sign JWT access tokens, newest first.',
  details: `A previous key stays published for a day, until all that it has signed has expired.\n${migrationNote}`,
  options: {},
  async run({ shell }) {
    const keys = describeKeys(await withSchema(shell, listSigningKeys));
    return { text: formatTable(keys, 'There is no signing key yet: it is made when it is needed.'), json: keys };
  },
});

export const rotateKeys = command({
  name: 'keys rotate',
  summary: 'Add a signing key. It replaces the current one when all caches have it.',
  details: `Needs the SESSION_SECRET of the server, which encrypts the keys.\n${migrationNote}`,
  options: {},
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
