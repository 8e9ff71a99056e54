import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { type Finding, finding } from '../lib/finding.ts';
import type { DatabaseAddress } from '../postgres/hosts.ts';
import { rehearseSeed } from '../postgres/migrations.ts';
import { OthersTurnError } from '../postgres/transaction.ts';

/** A plain password, by name or as the second argument; a bcrypt hash begins with a dollar sign. */
const plainPassword = /password\s*=>\s*'(?!\$2[aby]\$)[^']|register_user\s*\(\s*'[^']*'\s*,\s*'(?!\$2[aby]\$)[^']/g;

/** Runs SEED_FILE in a transaction that is rolled back. */
export async function seedFindings({ seed_file }: Config, address: DatabaseAddress): Promise<Finding[]> {
  if (seed_file === undefined) return [];
  const text = readFileSync(seed_file, 'utf8');
  const lines = [...text.matchAll(plainPassword)].map(({ index }) => text.slice(0, index).split('\n').length);
  const found: Finding[] = [];
  if (lines.length > 0) {
    found.push(
      finding('warning', 'seed_plain_password', {
        what: 'the seed has passwords in plain text',
        value: `SEED_FILE ${seed_file}, line ${[...new Set(lines)].slice(0, 5).join(', ')}`,
        change: "password => '$2b$12$…', the bcrypt hash of the password",
      }),
    );
  }
  try {
    await rehearseSeed(address, seed_file);
  } catch (error) {
    found.push(error instanceof OthersTurnError ? notTried(seed_file, error) : failed(seed_file, error as Error));
  }
  return found;
}

const notTried = (seed_file: string, { message }: Error) =>
  finding('note', 'seed_not_tried', {
    what: `the seed was not tried, because ${message}`,
    value: `SEED_FILE ${seed_file}`,
    change: 'latchkey doctor, when the other process has finished',
  });

const failed = (seed_file: string, { message }: Error) =>
  finding('error', 'seed_fails', {
    what: 'the seed fails, and so would the next start',
    value: message,
    change: `the named line of SEED_FILE ${seed_file}`,
  });
