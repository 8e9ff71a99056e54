import type { ErrorCode } from '../lib/errors.ts';
import type { UriPart } from '../lib/redirect-uri-difference.ts';
import type { ConsentProblem } from './consent/consent.view.ts';
import type { GrantDuration } from './consent/grants.sql.ts';
import type en from './texts/en.json';

type Names =
  | `problem.${ConsentProblem}`
  | `consent.${GrantDuration}`
  | `part.${UriPart}`
  | `error_title.${ErrorCode}`
  | `explained.${ErrorCode}.meaning`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
