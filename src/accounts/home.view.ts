import type { ErrorCode } from '../lib/errors.ts';
import type { Visitor } from '../web/views/parts.ts';

declare module '../web/views/views.ts' {
  interface Views {
    home: Visitor;
    'error-explained': Visitor & { code: ErrorCode; codes: readonly ErrorCode[] };
  }
}
