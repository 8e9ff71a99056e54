import type { ProfileFieldName } from '../lib/profile.ts';
import type { Keeper } from '../web/views/parts.ts';
import type { FactorProblem } from './factors/factors.view.ts';
import type {
  AccountNotice,
  AccountProblem,
  ActivityName,
  PermissionsProblem,
  ShownMethod,
  TokenTheft,
} from './profile/account.view.ts';
import type { SignUpProblem } from './sign-up/sign-up.view.ts';
import type en from './texts/en.json';

type Names =
  | `problem.${SignUpProblem | AccountProblem | PermissionsProblem | FactorProblem}`
  | `account.${ProfileFieldName}`
  | `kept.${Keeper}`
  | `notice.${AccountNotice | 'passkey_saved'}`
  | `activity.${ActivityName}`
  | `activity_reason.${TokenTheft | 'sign_in_failed_code'}`
  | `method.${ShownMethod}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
