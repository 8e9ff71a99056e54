import assert from 'node:assert/strict';
import type { Finding } from '../../src/lib/finding.ts';
import { commandLineFor } from './command-line.ts';

export interface Diagnosis {
  readonly code: number | null;
  readonly findings: Finding[];
  /** by the name of its check */
  readonly found: ReadonlyMap<string, Finding>;
  readonly out: string;
}

/** The command with this environment, in this process unless `run` is an installed one. */
export async function diagnose(
  env: Record<string, string>,
  words: string[] = [],
  run = commandLineFor('').latchkey,
): Promise<Diagnosis> {
  const { code, out, err } = await run(['doctor', '--json', ...words], { env: { NODE_ENV: '', ...env } });
  assert.match(out, /^\{/, err);
  const { findings, errors, warnings, notes } = JSON.parse(out) as Record<string, number> & { findings: Finding[] };
  const count = (severity: string) => findings.filter((one) => one.severity === severity).length;
  assert.deepEqual([errors, warnings, notes], [count('error'), count('warning'), count('note')]);
  assert.equal(code, count('error') > 0 ? 1 : 0);
  for (const one of findings) {
    assert.deepEqual(Object.keys(one), ['check', 'severity', 'what', 'value', 'change']);
    for (const text of [one.what, one.value, one.change]) assert.match(text, /^[^\n]+$/, out);
  }
  return { code, findings, found: new Map(findings.map((one) => [one.check, one])), out };
}
