import { atFirstUse } from './at-first-use.ts';

/** An `import` of values reads all exports of the module, and one of them loads the client of `fetch`: 7 MiB and 40 ms of a start on Node 24. */
export const http = atFirstUse<typeof import('node:http')>('node:http')();
