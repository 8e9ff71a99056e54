import type en from './texts/en.json';

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
}
