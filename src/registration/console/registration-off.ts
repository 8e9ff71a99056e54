import type { SignedInPage } from '../../identity/person.ts';
import { renderView } from '../../web/render.ts';
import { chapterPath } from './path.ts';

/** Tells a person who may not register applications what to send to whoever may. */
export function renderRegistrationOff(page: SignedInPage, status: number): void {
  const { viewer, csrf } = page;
  const { base } = page.deps.config;
  const more = { href: base + chapterPath, label: 'message.registration_off.how' as const };
  const back = { href: `${base}/account`, label: 'back.account' as const };
  renderView(page, 'message', { viewer, csrf, message: 'registration_off', more, back }, status);
}
