import type { StaleProof } from '../../web/views/parts.ts';
import type { SignedIn } from '../profile/account.view.ts';

interface ExportViews {
  /** Shown before the download where the sign-in is no proof any more; `href` leads to a new one. */
  'account-export': SignedIn & { problem: StaleProof; href: string };
}

declare module '../../web/views/views.ts' {
  interface Views extends ExportViews {}
}
