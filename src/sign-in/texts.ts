import type { LoginProblem } from './sign-in.view.ts';
import type en from './texts/en.json';

type Names = `problem.${LoginProblem}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
