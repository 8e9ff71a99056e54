import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { isWishOfClient, languageOfBrowser, requestedLanguage } from '../web/language.ts';
import { chooseLanguageOfUser } from './users.sql.ts';

const year = 365 * 24 * 60 * 60 * 1000;

/** Keeps the language that a request chooses in a cookie, and in the account of the person who is signed in if the person chose it. */
export const rememberLanguage =
  ({ config: { secure }, database }: Deps): RequestHandler =>
  async (req, res, next) => {
    const language = requestedLanguage(req);
    if (language === undefined) return next();
    if (languageOfBrowser(req) !== language) {
      const options = { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: year } as const;
      res.cookie(secure ? '__Host-language' : 'language', language, options);
    }
    const { user_id, chosen_language } = req.session ?? {};
    if (user_id !== undefined && chosen_language !== language && !isWishOfClient(req)) {
      // the page matters more: a database that only reads shows it
      await chooseLanguageOfUser(database, user_id, language).catch(() => undefined);
    }
    return next();
  };
