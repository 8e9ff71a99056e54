import type { Request, Response } from 'express';
import type { Deps } from '../deps.ts';

/** What every function of a page needs: the request, its response, and what lives as long as the process. */
export interface PageContext {
  readonly deps: Deps;
  readonly req: Request;
  readonly res: Response;
}
