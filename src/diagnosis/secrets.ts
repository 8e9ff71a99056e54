import type { Config } from '../config.ts';
import { readDatabaseUrl } from '../environment/database-url.ts';
import { type Finding, finding } from './finding.ts';

/** Secrets of our own documents, which everybody can read. */
export const documentedSecrets = {
  client: { client_id: 'photo-printer', client_secret: 'at-least-32-characters-that-a-machine-made' },
  user: { username: 'ada', password: 'correct horse battery' },
} as const;

/** Fewer than a machine would use by chance: one in 60,000 secrets of 32 random decimal digits has less. */
const fewestCharacters = 7;
const madeUp = /secret|password|passwort|change.?me|example|latchkey|0123456789|abcdef.?ghij|qwert|\btest\b/i;

/** Whether a person made it up, so that somebody could guess it. */
function isGuessable(secret: string): boolean {
  const isRepeated = /^(.{1,16}?)\1+$/.test(secret);
  return isRepeated || madeUp.test(secret) || new Set(secret).size < fewestCharacters;
}

export function secretFindings(config: Config): Finding[] {
  return [...sessionSecretFindings(config), ...databasePasswordFindings(config)];
}

function sessionSecretFindings({ session_secret: secrets }: Config): Finding[] {
  if (secrets === undefined) {
    return [
      finding('note', 'session_secret_missing', {
        what: 'the secret that signs cookies stands in the database, and so in every backup of it',
        value: 'SESSION_SECRET is not set',
        change:
          "SESSION_SECRET=NEW,OLD with NEW from openssl rand -hex 32, and OLD, for two hours, from: select value from settings where name = 'session_secret'",
      }),
    ];
  }
  return secrets.flatMap((secret, index) =>
    isGuessable(secret)
      ? [
          finding('error', 'session_secret_guessable', {
            what: 'a secret that signs cookies and encrypts keys looks made up, so somebody could guess it',
            value: `SESSION_SECRET, entry ${index + 1} of ${secrets.length}`,
            change: 'SESSION_SECRET=$(openssl rand -hex 32)',
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
