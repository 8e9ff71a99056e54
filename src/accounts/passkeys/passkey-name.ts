import { oneLine } from '../../lib/one-line.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { withoutSecrets } from '../../lib/secrets.ts';
import { fieldOf } from '../../web/request-parameters.ts';

/** The name by which a person knows a passkey; undefined if nothing was typed. */
export function passkeyName(form: Parameters): string | undefined {
  const typed = fieldOf(form, 'name').trim();
  return typed === '' ? undefined : oneLine(withoutSecrets(typed), 60);
}
