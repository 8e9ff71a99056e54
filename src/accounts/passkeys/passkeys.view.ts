import type { ShownProof } from '../../web/views/parts.ts';
import type { AccountProblem, SignedIn } from '../profile/account.view.ts';
import type { PasskeyRow } from './account-passkeys.view.ts';

interface Proving {
  action: string;
  proof: ShownProof;
  problem?: { name: AccountProblem; wait_minutes?: number | undefined } | undefined;
}

declare module '../../web/views/views.ts' {
  interface Views {
    /** `options` are what the script hands to the browser; they follow the proof. */
    'passkey-new': SignedIn & Proving & { is_key: boolean; suggested_name: string; options?: object | undefined };
    passkey: SignedIn & Proving & PasskeyRow;
    'password-remove': SignedIn & Proving;
    'password-set': SignedIn & Proving;
  }
}
