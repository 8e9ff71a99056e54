import type { SignedIn, StaleProof } from './account.ts';

export interface ExportViews {
  /** Shown before the download where the sign-in is no proof any more; `href` leads to a new one. */
  'account-export': SignedIn & { problem: StaleProof; href: string };
}
