import { memberTexts } from './client-members.ts';
import type { Catalogue } from './en.ts';
import { account } from './es/account.ts';
import { admin } from './es/admin.ts';
import { attempts } from './es/attempts.ts';
import { bound } from './es/bound.ts';
import { developer } from './es/developer.ts';
import { elsewhere } from './es/elsewhere.ts';
import { errors } from './es/errors.ts';
import { explained } from './es/explained.ts';
import { factors } from './es/factors.ts';
import { flow } from './es/flow.ts';
import { forms } from './es/forms.ts';
import { mail } from './es/mail.ts';
import { operation } from './es/operation.ts';
import { passkeys } from './es/passkeys.ts';
import { playground } from './es/playground.ts';
import { portal } from './es/portal.ts';
import { providers } from './es/providers.ts';
import { scopes } from './es/scopes.ts';
import { security } from './es/security.ts';
import { stepUp } from './es/step-up.ts';

export const es: Catalogue = {
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
  ...memberTexts.es,
  ...playground,
  ...attempts,
  ...bound,
  ...stepUp,
  ...admin,
  ...operation,
  ...scopes,
};
