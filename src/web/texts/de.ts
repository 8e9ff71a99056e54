import { memberTexts } from './client-members.ts';
import { account } from './de/account.ts';
import { admin } from './de/admin.ts';
import { attempts } from './de/attempts.ts';
import { bound } from './de/bound.ts';
import { developer } from './de/developer.ts';
import { elsewhere } from './de/elsewhere.ts';
import { errors } from './de/errors.ts';
import { explained } from './de/explained.ts';
import { factors } from './de/factors.ts';
import { flow } from './de/flow.ts';
import { forms } from './de/forms.ts';
import { mail } from './de/mail.ts';
import { operation } from './de/operation.ts';
import { passkeys } from './de/passkeys.ts';
import { playground } from './de/playground.ts';
import { portal } from './de/portal.ts';
import { providers } from './de/providers.ts';
import { scopes } from './de/scopes.ts';
import { security } from './de/security.ts';
import { stepUp } from './de/step-up.ts';
import type { Catalogue } from './en.ts';

export const de: Catalogue = {
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
  ...memberTexts.de,
  ...playground,
  ...attempts,
  ...bound,
  ...stepUp,
  ...admin,
  ...operation,
  ...scopes,
};
