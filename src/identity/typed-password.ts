import { audit } from '../audit/audit.ts';
import type { PageContext } from '../web/page-context.ts';
import { traceOf } from '../web/request-log.ts';
import { signInBrowser } from './known-browser.ts';
import { checkPassword, type PasswordCheck } from './password-check.ts';
import { isFirstDelay } from './sign-in-limits.ts';

/** The result if the password was not compared because too many were wrong before. */
export interface Delay {
  status: 429;
  name: 'too_many_attempts';
  /** below one as a fraction, which is shown in seconds */
  wait_minutes: number;
}

/** Compares the password in a form. Every page that asks for a password does it here, so that all guesses are counted together. */
export async function checkTypedPassword(
  page: PageContext,
  username: string,
  password: unknown,
): Promise<Delay | Omit<PasswordCheck, 'wait'>> {
  const { deps, req, res } = page;
  const { wait, ...check } = await checkPassword(deps, signInBrowser(page), username, password);
  if (wait === 0) return check;
  const trace = traceOf(req, res);
  if (await isFirstDelay(deps, trace.address ?? '')) await audit(deps, trace, { event: 'sign_in_delayed' });
  return delayOf(page, wait);
}

/** Answers a page while no guess is compared. */
export function delayOf({ res }: PageContext, wait: number): Delay {
  res.setHeader('Retry-After', wait);
  return { status: 429, name: 'too_many_attempts', wait_minutes: wait < 60 ? wait / 60 : Math.ceil(wait / 60) };
}
