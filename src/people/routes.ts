import type { Addresses } from '../oauth/addresses.ts';
import { body } from '../web/body.ts';
import { backChannelLogout } from './leaving/back-channel-logout.ts';
import { revokeAllOfSubject } from './leaving/revoke-subject.ts';

export function addPeople({ deps, jsonRoute }: Addresses): void {
  jsonRoute('/revoke-subject', { post: [body, revokeAllOfSubject(deps)] });
  jsonRoute('/login/provider/:name/logout', { post: [body, backChannelLogout(deps)] });
}
