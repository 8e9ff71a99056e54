import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { brandSheet } from './brand.ts';

/** Sends the operator's colour as a style sheet. */
export const showBrandSheet = ({ config }: Deps): RequestHandler => {
  const sheet = brandSheet(config.brand);
  return (_req, res) => {
    res.type('css').send(sheet);
  };
};
