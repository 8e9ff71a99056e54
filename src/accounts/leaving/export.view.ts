import type { StaleProof } from '../../web/views/parts.ts';
import type { SignedIn } from '../profile/account.view.ts';

declare module '../../web/views/views.ts' {
  interface Views {
    /** Shown before the download where the sign-in is no proof any more; `href` leads to a new one. */
    'account-export': SignedIn & { problem: StaleProof; href: string };
  }
}
