import type { RecordedEvent } from '../../audit/audit.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { createSecret, digestOf, isSecret } from '../../lib/secrets.ts';
import {
  findSignUp,
  inviteUser,
  issueSignUp,
  type NewSignUp,
  renewInvitation,
  type SignUp,
  type UserInvitation,
} from './sign-ups.sql.ts';

/** Where a link to sign up leads. */
export const signUpPath = '/sign-up/finish';

/** Seconds for which a link is valid that somebody asked for, and one of an invitation. */
const validFor = { asked: 86_400, invited: 7 * 86_400 };

/** Whether strangers can create accounts. */
export const offersSignUp = ({ sign_up }: Pick<Config, 'sign_up'>): boolean => sign_up === 'open';

type LinkDeps = Pick<Deps, 'config' | 'database'>;

/** Makes a link to sign up and returns its address. */
export async function createSignUpLink(
  { config, database }: LinkDeps,
  { address, detail }: Pick<NewSignUp, 'address' | 'detail'>,
  language: string,
): Promise<string> {
  const token = createSecret('mailed_link');
  await issueSignUp(database, { token_sha256: digestOf(token), address, detail, valid_for: validFor.asked });
  return urlOf(config, token, language);
}

/** Makes the link of an invitation and returns its address. */
export async function createInvitationLink(
  { config, database }: LinkDeps,
  invitation: Pick<UserInvitation, 'address' | 'is_handed_over'>,
  recorded: RecordedEvent,
): Promise<string> {
  const token = createSecret('mailed_link');
  const link = { ...invitation, token_sha256: digestOf(token), valid_for: validFor.invited };
  await inviteUser(database, link, recorded);
  return urlOf(config, token);
}

/**
 * Makes the link in the mail of an invitation, which was issued with a link that nobody has; undefined if the invitation was withdrawn
 * or used.
 */
export async function renewInvitationLink(
  { config, database }: LinkDeps,
  address: string,
  language: string,
): Promise<string | undefined> {
  const token = createSecret('mailed_link');
  const link = { token_sha256: digestOf(token), address, valid_for: validFor.invited };
  return (await renewInvitation(database, link)) ? urlOf(config, token, language) : undefined;
}

function urlOf({ issuer }: Config, token: string, language?: string): string {
  const query = new URLSearchParams({ token, ...(language && { ui_locales: language }) });
  return `${issuer}${signUpPath}?${query}`;
}

/** Opens a link; undefined if it is over, or people cannot sign up any more. */
export async function openSignUp({ config, database }: LinkDeps, token: string): Promise<SignUp | undefined> {
  if (config.sign_up === 'off' || !config.passwords || !isSecret('mailed_link', token)) return undefined;
  return findSignUp(database, digestOf(token), config.sign_up === 'open');
}
