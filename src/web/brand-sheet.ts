import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { brandSheet } from './brand.ts';

/** The operator's colour as a style sheet. Pages link it with a version, so it can be cached for ever. */
export const showBrandSheet = ({ config }: Deps): RequestHandler => {
  const sheet = brandSheet(config.brand);
  return (_req, res) => {
    res.type('css').send(sheet);
  };
};
