import type { Config } from '../config/config.ts';
import { readDatabaseUrl } from '../config/database-url.ts';
import { isGuessable } from '../config/values.ts';
import { type Finding, finding } from '../lib/finding.ts';

/** Secrets of our own documents, which everybody can read. */
export const documentedSecrets = {
  client: { client_id: 'photo-printer', client_secret: 'at-least-32-characters-that-a-machine-made' },
  user: { username: 'ada', password: 'correct horse battery' },
} as const;

export function secretFindings(config: Config): Finding[] {
  return [...sessionSecretFindings(config), ...databasePasswordFindings(config)];
}

function sessionSecretFindings({ session_secret: secrets }: Config): Finding[] {
  if (secrets === undefined) {
    return [
      finding('note', 'session_secret_missing', {
        what: 'the secret that signs cookies is stored in the database, and so in every backup of it',
        value: 'SESSION_SECRET is not set',
        change:
          '1. print the stored secret, OLD: latchkey keys session-secret 2. make a new secret, NEW: openssl rand -hex 32 3. set SESSION_SECRET=NEW,OLD for every server process, then restart them 4. two hours later, set SESSION_SECRET=NEW and restart them again',
      }),
    ];
  }
  return secrets.flatMap((secret, index) =>
    isGuessable(secret)
      ? [
          finding('error', 'session_secret_guessable', {
            what: 'a secret that signs cookies and encrypts keys is not random, so somebody could guess it',
            value: `SESSION_SECRET, entry ${index + 1} of ${secrets.length}`,
            change:
              'store the output as SESSION_SECRET of every server process, then restart the server processes: openssl rand -hex 32',
          }),
        ]
      : [],
  );
}

const usualPasswords = new Set(['postgres', 'password', 'latchkey', 'admin', 'root', 'secret', '123456']);

function databasePasswordFindings({ database_url }: Config): Finding[] {
  const [url = ''] = database_url === undefined ? [] : readDatabaseUrl(database_url);
  if (!URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  if (password === '' || !(usualPasswords.has(password) || password === username)) return [];
  return [
    finding('warning', 'database_password_usual', {
      what: 'the password of the database is one that everybody tries first',
      value: 'the password in DATABASE_URL',
      change: `alter role "${username}" password '…', and the new one in DATABASE_URL`,
    }),
  ];
}
