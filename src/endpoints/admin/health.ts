import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { describeKeys } from '../../grants/signing-keys.ts';
import { renderView } from '../../pages/render.ts';
import { listInstances } from '../../store/counts.ts';
import { findLastMigration, findStoredState } from '../../store/monitoring.ts';
import { listSigningKeys } from '../../store/signing-keys.ts';
import type { Severity } from '../../values/finding.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';

/** What the doctor says, and what there is to look after. It changes nothing. */
export const showHealth = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const { database } = deps;
    const [findings, instances, migration, keys, state] = await Promise.all([
      deps.examine(),
      listInstances(database),
      findLastMigration(database),
      listSigningKeys(database),
      findStoredState(database),
    ]);
    const number = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
    const { mails_waiting = 0, oldest_mail_seconds = 0 } = state ?? {};
    renderView(page, 'admin-health', {
      ...frameOf(page, 'health'),
      ...{ findings, instances, migration, mails_waiting },
      counts: { error: number('error'), warning: number('warning'), note: number('note') },
      keys: describeKeys(keys),
      mails_since: mails_waiting > 0 ? new Date(Date.now() - oldest_mail_seconds * 1000) : undefined,
    });
  });
