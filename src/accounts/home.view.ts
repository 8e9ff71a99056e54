import type { ErrorCode } from '../lib/errors.ts';
import type { Visitor } from '../web/views/parts.ts';

interface HomeViews {
  home: Visitor;
  'error-explained': Visitor & { code: ErrorCode; codes: readonly ErrorCode[] };
}

declare module '../web/views/views.ts' {
  interface Views extends HomeViews {}
}
