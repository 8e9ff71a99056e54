import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';
import { rasterTypeOf } from '../lib/raster-image.ts';
import { httpsUri } from '../web/display.ts';
import { FetchError, fetchImage } from '../web/fetch-document.ts';
import { shownClient } from '../web/shown-client.ts';
import type { ShownClient } from '../web/views/parts.ts';
import {
  claimDueLogos,
  type DueLogo,
  findDigestOfLogo,
  findImageOfLogo,
  keepLogo,
  postponeLogo,
} from './client-logos.sql.ts';
import type { Client } from './clients.sql.ts';
import { cameByItself } from './origins.sql.ts';

// A client that came by itself can show people anything once it is vouched for, and learn who looks: so this server fetches its logo
// before anybody does, keeps the first image and shows that [draft-ietf-oauth-client-id-metadata-document].

const intervalMs = 60_000;
const atOnce = 5;
const maxBytes = 64 * 1024;

type LogoDeps = Pick<Deps, 'config' | 'database' | 'log'>;

/** Fetches every minute the logos that are missing: of clients that an administrator vouches for since, or that have another one. */
export function startFetchingLogos(deps: LogoDeps): { stop(): void } {
  const run = async () => {
    try {
      await fetchLogos(deps);
    } catch (err) {
      deps.log.warn({ err }, 'the logos of clients could not be fetched; trying again in a minute');
    }
  };
  void run();
  const timer = setInterval(run, intervalMs);
  return { stop: () => clearInterval(timer) };
}

export async function fetchLogos(deps: LogoDeps): Promise<void> {
  const due = await claimDueLogos(deps.database, atOnce, deps.config.client_id_documents);
  await Promise.all(due.map((logo) => fetchLogo(deps, logo)));
}

async function fetchLogo({ config, database, log }: LogoDeps, logo: DueLogo): Promise<void> {
  const { client_id, uri: logo_uri } = logo;
  try {
    const image = await fetchImage(logo_uri, { issuer: config.issuer, maxBytes, is_vouched: true, is_known: true });
    await keepLogo(database, logo, image);
    log.info({ client_id, logo_uri }, 'the logo of a client was fetched');
  } catch (error) {
    // if the site was not asked, the claim is over soon
    if (error instanceof FetchError) await postponeLogo(database, logo);
    else if (!(error instanceof OAuthError)) throw error;
    log.warn({ client_id, logo_uri, reason: error.message }, 'the logo of a client could not be fetched');
  }
}

/** Adds the address of the logo, if an administrator vouches for the client: strangers do not learn who looks at a page [7591 §5]. */
export async function clientWithLogo(
  { config, database }: LogoDeps,
  client: Client,
): Promise<ShownClient & { logo: string | undefined }> {
  const shown = shownClient(client);
  if (!client.vouched || client.logo_uri === null) return { ...shown, logo: undefined };
  // whoever registers a client chooses from where browsers load its logo
  if (!cameByItself(client)) return { ...shown, logo: httpsUri(client.logo_uri)?.href };
  const digest = await findDigestOfLogo(database, client.client_id);
  return { ...shown, logo: digest && `${config.base}/logos/${digest}` };
}

/** Sends a logo by its digest, so that browsers can keep it for ever. Opened by itself, the image can do nothing. */
export function showLogo({ database }: Deps): RequestHandler {
  return async (req, res) => {
    const digest = String(req.params['digest']);
    const image = /^[0-9a-f]{64}$/.test(digest)
      ? await findImageOfLogo(database, Buffer.from(digest, 'hex'))
      : undefined;
    const type = image && rasterTypeOf(image);
    if (!type) throw new OAuthError('not_found', 'there is no logo at this address');
    res.set({
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Type': type,
    });
    res.send(image);
  };
}
