import { memberTexts } from './client-members.ts';
import type { Catalogue } from './en.ts';
import { account } from './zh/account.ts';
import { admin } from './zh/admin.ts';
import { attempts } from './zh/attempts.ts';
import { bound } from './zh/bound.ts';
import { developer } from './zh/developer.ts';
import { elsewhere } from './zh/elsewhere.ts';
import { errors } from './zh/errors.ts';
import { explained } from './zh/explained.ts';
import { factors } from './zh/factors.ts';
import { flow } from './zh/flow.ts';
import { forms } from './zh/forms.ts';
import { mail } from './zh/mail.ts';
import { operation } from './zh/operation.ts';
import { passkeys } from './zh/passkeys.ts';
import { playground } from './zh/playground.ts';
import { portal } from './zh/portal.ts';
import { providers } from './zh/providers.ts';
import { scopes } from './zh/scopes.ts';
import { security } from './zh/security.ts';
import { stepUp } from './zh/step-up.ts';

export const zh: Catalogue = {
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
  ...memberTexts.zh,
  ...playground,
  ...attempts,
  ...bound,
  ...stepUp,
  ...admin,
  ...operation,
  ...scopes,
};
