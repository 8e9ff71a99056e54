import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { bySeverity, type Finding, finding, type Severity } from '../lib/finding.ts';
import { listSigningKeys } from '../oauth/token/signing-keys.sql.ts';
import { describeKeys } from '../oauth/token/signing-keys.ts';
import { listInstances } from '../operations/counts.sql.ts';
import { findLastMigration, findStoredState } from '../operations/monitoring.sql.ts';
import { renderView } from '../web/render.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';

/** The command finds this normal: it also runs beside a server that is stopped. */
const silence: Finding = finding('warning', 'no_process_reports', {
  what: 'no server process has reported within the last minute',
  value:
    'The list of processes and the charts are incomplete; signing in does not depend on them. This page was answered, so a server process is running, but the table `instances` has no recent row for it.',
  change:
    '1. search the log of each server process for `what was counted could not be added`: the warning says why 2. open `/readyz` at each server process: if the status is 503, check that the database accepts writes (its address, the rights of the role, the free space)',
});

/** Shows what the doctor says, and the state of the server. */
export const showHealth = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const { database } = deps;
    const [found, instances, migration, keys, state] = await Promise.all([
      deps.examine(),
      listInstances(database),
      findLastMigration(database),
      listSigningKeys(database),
      findStoredState(database),
    ]);
    const findings = bySeverity([...found, ...(instances.length === 0 ? [silence] : [])]);
    const number = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
    const { mails_waiting = 0, oldest_mail_seconds = 0 } = state ?? {};
    renderView(page, 'admin-health', {
      ...frameOf(page, 'health'),
      ...{ findings, instances, migration, mails_waiting },
      // within the ten seconds for which an examination counts
      checked_at: new Date(),
      check_href: `${deps.config.base}/admin/health`,
      counts: { error: number('error'), warning: number('warning'), note: number('note') },
      keys: describeKeys(keys),
      mails_since: mails_waiting > 0 ? new Date(Date.now() - oldest_mail_seconds * 1000) : undefined,
    });
  });
