import type { MailButton, MailSubject } from '../lib/mail.ts';
import type en from './texts/en.json';

type MailTexts = typeof en;
type Names = `mail.${MailSubject}.${'subject' | 'text'}` | `mail.${MailButton}`;

declare module '../web/texts.ts' {
  interface Texts extends MailTexts {}
  interface NamedTexts extends Record<Names, string> {}
}
