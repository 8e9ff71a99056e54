import { memberTexts } from './client-members.ts';
import type { Catalogue } from './en.ts';
import { account } from './fr/account.ts';
import { admin } from './fr/admin.ts';
import { attempts } from './fr/attempts.ts';
import { bound } from './fr/bound.ts';
import { developer } from './fr/developer.ts';
import { elsewhere } from './fr/elsewhere.ts';
import { errors } from './fr/errors.ts';
import { explained } from './fr/explained.ts';
import { factors } from './fr/factors.ts';
import { flow } from './fr/flow.ts';
import { forms } from './fr/forms.ts';
import { mail } from './fr/mail.ts';
import { operation } from './fr/operation.ts';
import { passkeys } from './fr/passkeys.ts';
import { playground } from './fr/playground.ts';
import { portal } from './fr/portal.ts';
import { providers } from './fr/providers.ts';
import { scopes } from './fr/scopes.ts';
import { security } from './fr/security.ts';
import { stepUp } from './fr/step-up.ts';

export const fr: Catalogue = {
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
  ...memberTexts.fr,
  ...playground,
  ...attempts,
  ...bound,
  ...stepUp,
  ...admin,
  ...operation,
  ...scopes,
};
