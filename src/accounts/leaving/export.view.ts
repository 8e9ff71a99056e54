import type { SignedIn, StaleProof } from '../profile/account.view.ts';

export interface ExportViews {
  /** Shown before the download where the sign-in is no proof any more; `href` leads to a new one. */
  'account-export': SignedIn & { problem: StaleProof; href: string };
}
