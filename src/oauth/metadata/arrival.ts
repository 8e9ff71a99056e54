import type { Request, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { arrivalHeader, isProbe, probeHeader, writeArrival } from '../../lib/probe.ts';

/** Tells the command doctor, and nobody else, what arrived here of its request. */
export function answerProbe(req: Request, res: Response, { sessionSecrets }: Pick<Deps, 'sessionSecrets'>): void {
  const probe = req.headers[probeHeader];
  if (typeof probe !== 'string' || !isProbe(sessionSecrets, probe, Date.now())) return;
  const { host = null, 'x-forwarded-proto': proto = null, 'x-forwarded-for': addresses = '' } = req.headers;
  const trusts = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const arrival = {
    host,
    forwarded_proto: proto === null ? null : String(proto),
    forwarded_for: String(addresses)
      .split(',')
      .filter((address) => address.trim() !== '').length,
    is_trusted: trusts(req.socket.remoteAddress ?? '', 0),
  };
  res.setHeader(arrivalHeader, writeArrival(arrival));
}
