import type { FactorProblem } from '../../accounts/factors/factors.view.ts';
import type {
  AccountNotice,
  AccountProblem,
  ActivityName,
  PermissionsProblem,
  ShownMethod,
} from '../../accounts/profile/account.view.ts';
import type { SignUpProblem } from '../../accounts/sign-up/sign-up.view.ts';
import type { AdminNotice, AdminPart, AdminProblem, AskedAction, PersonAction } from '../../admin/admin.view.ts';
import type {
  AdministeredNotice,
  AdministeredProblem,
  ApplicationOrigin,
} from '../../admin/admin-applications.view.ts';
import type { ChartName, ChartPeriod, KeyState, LineName } from '../../admin/admin-health.view.ts';
import type { FormatName, ScopeProblem } from '../../admin/admin-registrations.view.ts';
import type { ScopeUser } from '../../catalogue/scopes.sql.ts';
import type { StoppedSignIn } from '../../identity/identity.view.ts';
import type { PlainMember } from '../../lib/client-members.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { Severity } from '../../lib/finding.ts';
import type { MailButton, MailSubject } from '../../lib/mail.ts';
import type { ProfileFieldName } from '../../lib/profile.ts';
import type { UriPart } from '../../lib/redirect-uri-difference.ts';
import type { ConsentProblem } from '../../oauth/consent/consent.view.ts';
import type { GrantDuration } from '../../oauth/consent/grants.sql.ts';
import type {
  Carrier,
  PlaygroundBreak,
  PlaygroundMode,
  PlaygroundProblem,
  PlaygroundStep,
  PlaygroundTheft,
  PlaygroundUse,
  ProofMember,
  RepeatedPart,
} from '../../playground/playground.view.ts';
import type {
  ClientOrigin,
  DeveloperNotice,
  DeveloperProblem,
  FieldProblem,
  PermissionUse,
  ProgramObstacle,
} from '../../registration/console/developer.view.ts';
import type { SecurityMethod, SecurityProfile, TokenBinding } from '../../registration/console/security.view.ts';
import type { TokenEvent, TokenHistory } from '../../registration/console/token-history.view.ts';
import type { LoginProblem } from '../../sign-in/sign-in.view.ts';
import type { Keeper } from '../views/parts.ts';
import type { BackLabel, MessageName } from '../views/views.ts';
import { memberTexts } from './client-members.ts';
import { account } from './en/account.ts';
import { admin } from './en/admin.ts';
import { attempts } from './en/attempts.ts';
import { bound } from './en/bound.ts';
import { developer } from './en/developer.ts';
import { elsewhere } from './en/elsewhere.ts';
import { errors } from './en/errors.ts';
import { explained } from './en/explained.ts';
import { factors } from './en/factors.ts';
import { flow } from './en/flow.ts';
import { forms } from './en/forms.ts';
import { mail } from './en/mail.ts';
import { operation } from './en/operation.ts';
import { passkeys } from './en/passkeys.ts';
import { playground } from './en/playground.ts';
import { portal } from './en/portal.ts';
import { providers } from './en/providers.ts';
import { scopes } from './en/scopes.ts';
import { security } from './en/security.ts';
import { stepUp } from './en/step-up.ts';

/** Keys that templates put together from a name in their data: a name without its text does not compile. */
type Demanded =
  | BackLabel
  | `problem.${LoginProblem | SignUpProblem | ConsentProblem | AccountProblem | PermissionsProblem | DeveloperProblem | FactorProblem}`
  | `consent.${GrantDuration}`
  | `message.${MessageName}.${'title' | 'text'}`
  | `mail.${MailSubject}.${'subject' | 'text'}`
  | `mail.${MailButton}`
  | `stopped.${StoppedSignIn}`
  | `account.${ProfileFieldName}`
  | `kept.${Keeper}`
  | `notice.${AccountNotice | DeveloperNotice}`
  | `activity.${ActivityName}`
  | `method.${ShownMethod}`
  | `register.${PermissionUse}`
  | `developer.origin_${ClientOrigin}`
  | `token_history.${TokenHistory['kind']}`
  | `event.${TokenEvent}`
  | `field_problem.${FieldProblem}`
  | `security.profile.${SecurityProfile}`
  | `security.token_endpoint_auth_method.${SecurityMethod}`
  | `security.token_binding.${TokenBinding}`
  | `security.${PlainMember}`
  | `connect.${ProgramObstacle}`
  | `part.${UriPart}`
  | `error_title.${ErrorCode}`
  | `explained.${ErrorCode}.meaning`
  | `step.${PlaygroundStep}.${'title' | 'text'}`
  | `break.${PlaygroundBreak | PlaygroundUse | PlaygroundTheft}`
  | `mode.${PlaygroundMode}`
  | `mode.text_${PlaygroundMode}`
  | `proof.${ProofMember}`
  | `repeated.${RepeatedPart}`
  | `playground.by_${Carrier}`
  | `playground_problem.${PlaygroundProblem}`
  | `admin.part.${AdminPart}`
  | `admin.${PersonAction}`
  | `admin.ask.${AskedAction}`
  | `notice.${AdminNotice}`
  | `problem.${AdminProblem}`
  | `notice.${AdministeredNotice}`
  | `problem.${AdministeredProblem}`
  | `problem.${ScopeProblem}`
  | `admin.use.${ScopeUser}`
  | `admin.format.${FormatName}`
  | `admin.origin.${ApplicationOrigin}`
  | `admin.severity.${Severity}`
  | `admin.severity_one.${Severity}`
  | `admin.key.${KeyState}`
  | `admin.period.${ChartPeriod}`
  | `admin.chart.${ChartName}`
  | `admin.chart.${ChartName}_text`
  | `admin.line.${LineName}`;

export const en = {
  ...flow,
  ...forms,
  ...mail,
  ...elsewhere,
  ...errors,
  ...explained,
  ...account,
  ...portal,
  ...providers,
  ...factors,
  ...passkeys,
  ...developer,
  ...security,
  ...memberTexts.en,
  ...playground,
  ...attempts,
  ...bound,
  ...stepUp,
  ...admin,
  ...operation,
  ...scopes,
} as const satisfies Record<Demanded, string>;

/** English is the original; the types of all other catalogues are made from it. */
export type TextKey = keyof typeof en;
/** A catalogue in any language: every key, no other key. */
export type Catalogue = Readonly<Record<TextKey, string>>;
