import type { Addresses } from '../oauth/addresses.ts';
import { body } from '../web/body.ts';
import { backChannelLogout } from './leaving/back-channel-logout.ts';

export function addPeople({ deps, jsonRoute }: Addresses): void {
  jsonRoute('/login/provider/:name/logout', { post: [body, backChannelLogout(deps)] });
}
