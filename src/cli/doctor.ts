import { localFindings, remoteFindings } from '../doctor/doctor.ts';
import { testMail } from '../doctor/mail.ts';
import { bySeverity, type Finding, finding } from '../lib/finding.ts';
import { command, UsageError } from './command.ts';
import { formatCell } from './format.ts';
import type { Shell } from './shell.ts';
import { hasDatabase, Interrupted, withDatabaseServer } from './with-database.ts';

export const doctor = command({
  name: 'doctor',
  needsSchema: false,
  summary: 'Look for mistakes in the configuration, the database and the registrations.',
  details: `Changes nothing, and sends nothing without --mail: SEED_FILE runs in a transaction that is rolled back. Asks the server once, at ISSUER.
Each finding names the line to change. Exit code 1 if one of them is an error.`,
  options: {
    mail: {
      type: 'string',
      value: 'ADDRESS',
      help: 'send an email to this address, and print the response of the mail server',
    },
    instances: { type: 'string', value: 'N', help: 'how many instances share the database (default 1)' },
  },
  async run({ options, shell }) {
    const instances = Number(options.instances ?? '1');
    if (!Number.isInteger(instances) || instances < 1 || instances > 1000) {
      throw new UsageError('doctor: --instances is not a number from 1 to 1000');
    }
    const local = localFindings(shell.config(), shell.process.env);
    const mailed = options.mail === undefined ? [] : [await testMail(shell.config(), options.mail)];
    const findings = bySeverity([...local, ...mailed, ...(await askDatabase(shell, instances))]);
    const [errors, warnings, notes] = (['error', 'warning', 'note'] as const).map(
      (severity) => findings.filter((one) => one.severity === severity).length,
    );
    const summary = [counted(errors, 'error'), counted(warnings, 'warning'), counted(notes, 'note')].join(', ');
    const text = [...findings.map(describe), summary].join('\n');
    return { text, json: { findings, errors, warnings, notes }, isFailure: errors !== 0 };
  },
});

const counted = (count: number | undefined, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Does not create the embedded database if it does not exist. */
async function askDatabase(shell: Shell, instances: number): Promise<Finding[]> {
  const config = shell.config();
  if (!hasDatabase(config)) {
    const what = 'there is no embedded database yet; the first start creates it';
    const change = 'latchkey start, or DATABASE_URL=postgres://…';
    return [finding('note', 'database_missing', { what, value: `DATA_DIR ${config.data_dir}`, change })];
  }
  try {
    return await withDatabaseServer(shell, (server) => remoteFindings(config, server, instances), {
      timeoutSeconds: 3,
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const what = 'the database cannot be used';
    const value = (error as Error).message;
    return [
      finding('error', 'database_unusable', { what, value, change: 'DATABASE_URL=postgres://…, or the database' }),
    ];
  }
}

function describe({ severity, check, what, value, change }: Finding): string {
  return [`${severity.padEnd(8)} ${check}: ${what}`, `         ${value}`, `         → ${change}`, '']
    .map(formatCell)
    .join('\n');
}
