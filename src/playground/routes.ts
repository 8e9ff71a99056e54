import type { Addresses } from '../oauth/addresses.ts';
import { notForHead } from '../web/route.ts';
import { callback } from './callback.ts';
import { showDemoMails } from './demo-mails.ts';
import { answerFromDemoWebsite, showDemoWebsite, switchDemoWebsite } from './demo-website.ts';
import { runAttempt, showFlow, showPlayground, showTried, start } from './playground.ts';

export function addPlayground({ pageDeps: deps, pageRoute, formRoute, buttonRoute }: Addresses): void {
  const { demo, shows_mails } = deps.config;
  if (!demo) return;
  pageRoute('/playground', showPlayground(deps));
  buttonRoute('/playground/start', start(deps));
  pageRoute('/playground/callback', notForHead, callback(deps));
  formRoute('/playground/website', showDemoWebsite(deps), answerFromDemoWebsite(deps));
  if (shows_mails) pageRoute('/playground/mails', showDemoMails(deps));
  buttonRoute('/playground/website/switch', switchDemoWebsite(deps));
  pageRoute('/playground/flow', showFlow(deps));
  pageRoute('/playground/tried', showTried(deps));
  buttonRoute('/playground/break', runAttempt(deps));
}
