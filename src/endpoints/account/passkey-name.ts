import { fieldOf } from '../../pages/form-field.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { withoutSecrets } from '../../protocol/secrets.ts';
import { oneLine } from '../../values/one-line.ts';

/** By which a person knows a passkey; undefined if nothing was typed. */
export function passkeyName(form: Parameters): string | undefined {
  const typed = fieldOf(form, 'name').trim();
  return typed === '' ? undefined : oneLine(withoutSecrets(typed), 60);
}
