import { countPasswordKinds, mostCounted, type PasswordKind } from '../identity/password-kinds.sql.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { formatName, workOf } from '../lib/password-hashes/password-hash.ts';
import { bcryptCost } from '../lib/password-rules.ts';
import type { Database } from '../postgres/database.ts';

/** A thief tests billions of passwords a second against a hash of this format. */
const weakFormat = 'phpass';

/** Hashes that this server itself makes of passwords that bcrypt alone does not tell from others; register_user writes 2a. */
const ourLongHashes = ['2a', '2b'].map((version) => `bcrypt_sha256$$${version}$${bcryptCost}$`);

/** People who have not signed in since they came from another program, by the format of their hash. */
export async function foreignHashFindings(database: Database): Promise<Finding[]> {
  const kinds = await countPasswordKinds(database);
  const unusable = kinds.filter((one) => one.unusable > 0);
  const usable = kinds.filter(({ kind }) => workOf(kind) !== undefined && !ourLongHashes.includes(kind));
  const weak = usable.filter(({ kind }) => formatName(kind) === weakFormat);
  const others = usable.filter((one) => !weak.includes(one));
  return [
    ...unusable.map((one) =>
      finding('error', 'user_hash_unusable', {
        what: 'people have a hash that no password is compared with, so they cannot sign in with a password',
        value: `${kindAndPeople(one)}, among the first of which are ${one.unusable}`,
        change:
          'latchkey user set-password NAME, or another hash by register_user; check_password_hash says what is wrong',
      }),
    ),
    ...weak.map((one) =>
      finding('warning', 'user_hash_weak', {
        what: 'people have a hash that is fast to guess, and is replaced only when they sign in',
        value: kindAndPeople(one),
        change: 'ask these people to sign in; withdraw the passwords of those who never do',
      }),
    ),
    ...others.map((one) =>
      finding('note', 'user_hash_foreign', {
        what: 'people still have the hash of another program, which is replaced when they sign in',
        value: kindAndPeople(one),
        change: 'nothing',
      }),
    ),
  ];
}

const kindAndPeople = ({ kind, people }: PasswordKind) =>
  `${formatName(kind)} ${kind}: ${people > mostCounted ? `more than ${mostCounted}` : people}`;
