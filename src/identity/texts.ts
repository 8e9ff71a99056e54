import type { StoppedSignIn } from './identity.view.ts';
import type en from './texts/en.json';

type IdentityTexts = typeof en;
type Names = `stopped.${StoppedSignIn}`;

declare module '../web/texts.ts' {
  interface Texts extends IdentityTexts {}
  interface NamedTexts extends Record<Names, string> {}
}
