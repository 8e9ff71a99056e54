import type { LoginProblem } from './sign-in.view.ts';
import type en from './texts/en.json';

type SignInTexts = typeof en;
type Names = `problem.${LoginProblem}`;

declare module '../web/texts.ts' {
  interface Texts extends SignInTexts {}
  interface NamedTexts extends Record<Names, string> {}
}
