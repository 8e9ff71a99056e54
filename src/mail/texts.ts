import type { MailButton, MailSubject } from '../lib/mail.ts';
import type en from './texts/en.json';

type Names = `mail.${MailSubject}.${'subject' | 'text'}` | `mail.${MailButton}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
