import type { StoppedSignIn } from './identity.view.ts';
import type en from './texts/en.json';

type Names = `stopped.${StoppedSignIn}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
