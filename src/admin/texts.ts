import type { AskedAction } from '../accounts/account-actions.ts';
import type { AuditEventName } from '../audit/audit.sql.ts';
import type { ScopeUser } from '../catalogue/scopes.sql.ts';
import type { PeopleList } from '../identity/people-lists.sql.ts';
import type { Severity } from '../lib/finding.ts';
import type {
  AdminNotice,
  AdminPart,
  AdminProblem,
  NewPersonProblem,
  PersonAction,
  SecondFactor,
} from './admin.view.ts';
import type { AdministeredNotice, AdministeredProblem, ApplicationOrigin } from './admin-applications.view.ts';
import type { ChartName, ChartPeriod, KeyState, LineName } from './admin-health.view.ts';
import type { DescribeAction, FormatName, ResourceProblem, ScopeProblem } from './admin-registrations.view.ts';
import type en from './texts/en.json';

type Names =
  | `admin.part.${AdminPart}`
  | `admin.list.${PeopleList}`
  | `admin.did.${AuditEventName}`
  | `admin.${PersonAction}`
  | `admin.${DescribeAction}`
  | `admin.ask.${AskedAction}`
  | `admin.factor_${SecondFactor}`
  | `admin.effect.${'make_admin' | 'unmake_admin' | 'revoke_grants' | 'disable'}`
  | `notice.${AdminNotice | AdministeredNotice}`
  | `problem.${AdminProblem | AdministeredProblem | NewPersonProblem | ResourceProblem | ScopeProblem}`
  | `admin.use.${ScopeUser}`
  | `admin.${'format' | 'format_hint' | 'disabled_tokens' | 'enabled_tokens'}.${FormatName}`
  | `admin.origin.${ApplicationOrigin}`
  | `admin.verdict_one.${'error' | 'warning'}`
  | `admin.verdict.${'error' | 'warning' | 'well'}`
  | `admin.count.${Severity}`
  | `admin.count_one.${Severity}`
  | `admin.severity_one.${Severity}`
  | `admin.key.${KeyState}`
  | `admin.period.${ChartPeriod}`
  | `admin.step.${ChartPeriod}`
  | `admin.chart.${ChartName}`
  | `admin.chart.${ChartName}_text`
  | `admin.chart.${'latency' | 'refused_sign_ins'}_note`
  | `admin.per.${ChartPeriod}`
  | `admin.line.${LineName}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
