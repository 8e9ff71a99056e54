import type { RequestHandler } from 'express';
import { commonPasswords } from '../../lib/common-passwords.ts';

const script = `export default ${JSON.stringify(commonPasswords)};\n`;

/** The list by which new passwords are refused, as a module that the script of a form loads once somebody types a new password. */
export const showCommonPasswords: RequestHandler = (_req, res) => {
  res.type('js').send(script);
};
