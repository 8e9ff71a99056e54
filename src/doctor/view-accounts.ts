import { explainView, findViewColumns, findViewOfAccounts } from '../identity/view/view-accounts.sql.ts';
import { type Finding, finding } from '../lib/finding.ts';
import type { Database } from '../postgres/database.ts';
import { reasonOf } from '../postgres/database-errors.ts';

const documented = 'the view as in src/operations/own-table.md';
const needed = ['subject', 'username', 'email', 'email_verified', 'name', 'password_hash', 'disabled'] as const;

/** The operator's view latchkey_accounts: its columns, the right to read it, and whether look-ups use an index. */
export async function viewFindings(database: Database): Promise<Finding[]> {
  const { is_there, has_stamps } = await findViewOfAccounts(database);
  if (!is_there) return [];
  const columns = new Map((await findViewColumns(database)).map(({ name, type }) => [name, type]));
  const missing = needed.filter((name) => !columns.has(name));
  if (missing.length > 0) {
    const what = 'latchkey_accounts lacks columns, so nobody can sign in with it';
    return [finding('error', 'view_columns', { what, value: missing.join(', '), change: documented })];
  }
  const odd = [...columns].filter(([name, type]) => isOdd(name, type)).map(([name, type]) => `${name} ${type}`);
  const found: Finding[] = [];
  if (odd.length > 0) {
    const what = 'latchkey_accounts has columns whose types are misread';
    found.push(finding('warning', 'view_columns', { what, value: odd.join(', '), change: documented }));
  }
  return [...found, ...(await planFindings(database, has_stamps))];
}

function isOdd(name: string, type: string): boolean {
  if (name === 'updated_at') return type !== 'timestamp with time zone';
  if (name === 'disabled' || name === 'email_verified')
    return !/^(boolean|text|character varying|smallint|integer)/.test(type);
  return /^(bytea|json|jsonb|xml)$|\[\]$/.test(type);
}

async function planFindings(database: Database, hasStamps: boolean): Promise<Finding[]> {
  const slow: string[] = [];
  for (const by of ['username', 'email', 'subject', ...(hasStamps ? ['updated_at'] : [])]) {
    try {
      const plan = await explainView(database, by);
      if (/Seq Scan|Function Scan/.test(plan)) slow.push(by);
    } catch (error) {
      const what = 'latchkey_accounts cannot be read, so nobody who is unknown here can sign in with it';
      const change = 'grant select on it to the user of DATABASE_URL; or mend what stands behind it';
      return [finding('error', 'view_unreadable', { what, value: `by ${by}: ${reasonOf(error)}`, change })];
    }
  }
  if (slow.length === 0) return [];
  const what = 'look-ups in latchkey_accounts read a whole table, so sign-ins may end with "try again"';
  const change = 'an index on the column, or on the expression by which the view makes it';
  return [finding('warning', 'view_without_index', { what, value: `by ${slow.join(', ')}`, change })];
}
