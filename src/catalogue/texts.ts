import type en from './texts/en.json';

type CatalogueTexts = typeof en;

declare module '../web/texts.ts' {
  interface Texts extends CatalogueTexts {}
}
