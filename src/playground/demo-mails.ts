import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import { openCopy } from '../mail/mail-queue.ts';
import { listSentCopies } from '../mail/mails.sql.ts';
import { renderView } from '../web/render.ts';

const shownMails = 20;

/** The mails that a server with a mail server would have sent: rows of the queue, written as they always are. */
export const showDemoMails =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const copies = await listSentCopies(deps.database, shownMails);
    const mails = copies.flatMap(({ sent_at, sealed_copy }) => {
      const mail = openCopy(deps, sealed_copy);
      if (!mail) return [];
      const lines = mail.text.split('\n').filter((line) => line !== '');
      const { issuer } = deps.config;
      return [{ ...mail, sent_at, lines: lines.map((text) => ({ text, is_link: text.startsWith(`${issuer}/`) })) }];
    });
    renderView(page, 'demo-mails', { ...(await findVisitor(page)), mails });
  };
