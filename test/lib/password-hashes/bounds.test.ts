import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isPasswordOf, passwordHashProblem } from '../../../src/lib/password-hashes/password-hash.ts';
import { startLatchkey } from '../../support/latchkey.ts';

const { database } = await startLatchkey();

const vectors = (JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as { hash: string }[]).map(
  ({ hash }) => hash,
);

const bcryptRest = 'iejSGpZkVCNPxDQ7a107sepAgdqyd10g/owQ9Uwq2Z7nIFE8/Pgoi';
const salt = 'c2FsdHNhbHRzYWx0';
const digest = 'A'.repeat(43);
const signerKey = `${'A'.repeat(86)}==`;
const aspnet = (prf: number, rounds: number, saltLength: number, rest: number) => {
  const head = Buffer.alloc(13);
  head[0] = 1;
  head.writeUInt32BE(prf, 1);
  head.writeUInt32BE(rounds, 5);
  head.writeUInt32BE(saltLength, 9);
  return Buffer.concat([head, Buffer.alloc(rest, 'x')]).toString('base64');
};

/** By the rule that each breaks. */
const refused: Record<string, string[]> = {
  cost: [
    ...['15', '31', '03', '00'].map((cost) => `$2b$${cost}$${bcryptRest}`),
    `bcrypt_sha256$$2b$15$${bcryptRest}`,
    `$wp$2y$15$${bcryptRest}`,
    ...[
      'm=4194304,t=1,p=1',
      'm=262145,t=1,p=1',
      'm=1024,t=11,p=1',
      'm=1024,t=0,p=1',
      'm=8192,t=1,p=255',
      'm=8192,t=1,p=17',
      'm=8,t=1,p=8',
      'm=01024,t=1,p=1',
      'm=,t=1,p=1',
      'm=1e3,t=1,p=1',
    ].map((costs) => `$argon2id$v=19$${costs}$${salt}$${digest}`),
    ...['2000001', '0', '-1', '1e9', '2147483648', '0600000', '99999999999', ''].flatMap((rounds) => [
      `pbkdf2_sha256$${rounds}$salt$${digest}=`,
      `$pbkdf2-sha256$${rounds}$${salt}$${digest}`,
      `$pbkdf2-sha256$i=${rounds}$${salt}$${digest}`,
    ]),
    ...[
      'ln=24,r=8,p=1',
      'ln=15,r=1024,p=1024',
      'ln=17,r=16,p=2',
      'ln=0,r=8,p=1',
      'ln=14,r=0,p=1',
      'ln=18,r=1,p=1',
      'ln=16,r=1,p=1',
    ].map((costs) => `$scrypt$${costs}$${salt}$${digest}`),
    `$fbscrypt$v=1,n=17,r=16,p=2,ss=Bw==,sk=${signerKey}$${salt}$${signerKey}`,
    `$fbscrypt$v=1,n=16,r=1,p=1,ss=Bw==,sk=${signerKey}$${salt}$${signerKey}`,
    `$fbscrypt$v=1,n=20,r=8,p=1,ss=Bw==,sk=${signerKey}$${salt}$${signerKey}`,
    ...['999999999', '1000001', '999', '05000', ''].map((rounds) => `$6$rounds=${rounds}$saltstring$${'a'.repeat(86)}`),
    ...['S', 'z', 'H', '4', '.'].map((cost) => `$P$${cost}${'a'.repeat(30)}`),
    ...[
      [3, 1000],
      [1, 0],
      [1, 2_000_001],
      [1, 4_294_967_295],
    ].map(([prf = 0, rounds = 0]) => aspnet(prf, rounds, 16, 48)),
  ],
  malformed: [
    '$2b$12$iejSGpZkVCNPxDQ7a107se',
    `$2b$12$${bcryptRest}a`,
    `$2b$12$${bcryptRest}\n`,
    `$argon2id$v=19$m=1024,t=1,p=1$${salt}$AAAAAA`,
    `$argon2id$v=19$m=1024,t=1,p=1$${salt}$`,
    `$argon2id$v=19$m=1024,t=1,p=1$$${digest}`,
    `$argon2id$v=19$m=1024,t=1,p=1$${salt}$${digest}=`,
    `$argon2id$v=19$m=1024,t=1,p=1$${salt}`,
    'pbkdf2_sha256$600000$salt$',
    'pbkdf2_sha256$600000$salt$AA==',
    'pbkdf2_sha256$600000$salt$AAAAAA==',
    `pbkdf2_sha256$600000$$${digest}=`,
    `pbkdf2_sha1$600000$salt$${digest}=`,
    `$pbkdf2-sha512$25000$${salt}$${digest}`,
    `$pbkdf2-sha256$25000$$${digest}`,
    `$pbkdf2-sha256$i=25000,l=64$${salt}$${digest}`,
    `$pbkdf2-sha256$i=25000$${salt}$${'A'.repeat(86)}`,
    `$pbkdf2-sha256$i=25000$${salt}$${'A'.repeat(22)}`,
    `$scrypt$ln=14,r=8,p=1$${salt}$`,
    `$scrypt$ln=14,r=8,p=1$${salt}`,
    `$scrypt$ln=14,r=8,p=1$$${digest}`,
    `$scrypt$ln=14,r=8,p=1$${salt}$AAAA`,
    `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=AAAA$${salt}$AAAA`,
    `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$$${signerKey}`,
    `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$${salt}$`,
    '$6$salt$',
    `$6$salt$${'a'.repeat(43)}`,
    `$5$salt$${'a'.repeat(42)}`,
    `$5$$${'a'.repeat(43)}`,
    `$5$rounds=5,000$salt$${'a'.repeat(43)}`,
    `$P$B${'a'.repeat(29)}`,
    `$P$B${'a'.repeat(31)}`,
    aspnet(1, 1000, 16, 16),
    aspnet(1, 1000, 16, 31),
    aspnet(1, 1000, 49, 48),
    aspnet(1, 1000, 4_294_967_295, 48),
    aspnet(1, 1000, 0, 48),
    aspnet(1, 1000, 16, 81),
    `${aspnet(1, 1000, 16, 48).slice(0, -4)}A===`,
    aspnet(1, 1000, 16, 48).slice(0, -1),
  ],
  unknown: [
    '',
    '?',
    `$2x$12$${bcryptRest}`,
    `$2b$4$${bcryptRest}`,
    ` $2b$12$${bcryptRest}`,
    `bcrypt_sha512$$2b$12$${bcryptRest}`,
    `$argon2d$v=19$m=1024,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=18$m=1024,t=1,p=1$${salt}$${digest}`,
    `$argon2id$v=19$t=1,m=1024,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=1024,t=1,p=1,keyid=AAAA$${salt}$${digest}`,
    `pbkdf2_md5$1000$salt$${digest}=`,
    `$pbkdf2-md5$1000$${salt}$${digest}`,
    `$pbkdf2-sha256$i=25000,l=4$${salt}$AAAAAA`,
    `$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$${salt}$${signerKey}`,
    '$1$28772684$iEwNOgGugqO9.bIz5sk8k/',
    '5f4dcc3b5aa765d61d8327deb882cf99',
    '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8',
    `AAAAAA${'A'.repeat(60)}`,
    'constructor',
    `$P$`,
    `$5`,
    `$2b$12$${'a'.repeat(1494)}`,
    `$2b$12$${'🔑'.repeat(400)}`,
  ],
};
const accepted = [
  ...vectors,
  `$argon2id$v=19$m=262144,t=10,p=16$${salt}$${digest}`,
  `$argon2i$v=16$m=8,t=1,p=1$${salt}$${'A'.repeat(22)}`,
  `$scrypt$ln=17,r=16,p=1$${salt}$${digest}`,
  `$scrypt$ln=13,r=8,p=10$${salt}$${digest}`,
  `$scrypt$ln=15,r=1,p=1$${salt}$${digest}`,
  `$2b$14$${bcryptRest}`,
  `pbkdf2_sha256$2000000$salt$${digest}=`,
  `$pbkdf2-sha512$i=210000,l=64$${salt}$${'A'.repeat(86)}`,
  `$pbkdf2-sha256$i=1,l=16$${salt}$${'A'.repeat(22)}`,
  `$6$rounds=1000000$s$${'a'.repeat(86)}`,
  `$P$G${'a'.repeat(30)}`,
  aspnet(2, 2_000_000, 8, 24),
  aspnet(0, 1, 64, 128),
];

async function sqlProblem(hash: string): Promise<unknown> {
  const { rows } = await database.query('select check_password_hash($1) as problem', [hash]);
  return rows[0].problem;
}

test('SQL refuses the same hashes as TypeScript, for the same reasons in the same words', async () => {
  for (const [rule, hashes] of Object.entries(refused)) {
    for (const hash of hashes) {
      const problem = passwordHashProblem(hash);
      assert.equal(problem?.rule, rule, hash);
      assert.deepEqual(await sqlProblem(hash), [rule, problem?.sentence], hash);
    }
  }
});

test('SQL and TypeScript accept the same hashes, those at the bounds too', async () => {
  for (const hash of accepted) {
    assert.equal(passwordHashProblem(hash), undefined, hash);
    assert.equal(await sqlProblem(hash), null, hash);
  }
});

test('a hash that was cut or changed anywhere gets one verdict from both', async () => {
  for (const hash of accepted) {
    for (let at = 0; at < hash.length; at += 1 + Math.floor(hash.length / 12)) {
      for (const changed of [
        hash.slice(0, at),
        `${hash.slice(0, at)}0${hash.slice(at + 1)}`,
        `${hash.slice(0, at)}$${hash.slice(at)}`,
      ]) {
        const problem = passwordHashProblem(changed);
        assert.deepEqual(await sqlProblem(changed), problem ? [problem.rule, problem.sentence] : null, changed);
      }
    }
  }
});

test('a refusal names the format, the cost and the bounds', () => {
  assert.deepEqual(passwordHashProblem(`$argon2id$v=19$m=4194304,t=1,p=1$${salt}$${digest}`), {
    rule: 'cost',
    sentence: 'the argon2 hash has m=4194304; accepted are 8 to 262144',
  });
});

test('what is refused is never computed: it fits no password, at once', async () => {
  const start = process.cpuUsage();
  for (const hash of Object.values(refused).flat()) {
    assert.equal(await isPasswordOf(hash, Buffer.from('a password')), false, hash);
  }
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});
