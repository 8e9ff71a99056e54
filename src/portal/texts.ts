import type en from './texts/en.json';

type PortalTexts = typeof en;

declare module '../web/texts.ts' {
  interface Texts extends PortalTexts {}
}
