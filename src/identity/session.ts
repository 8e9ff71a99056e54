import type { Request, RequestHandler } from 'express';
import session, { type SessionData, Store } from 'express-session';
import type { ToldTrace } from '../audit/audit.sql.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import type { SecondFactor } from '../lib/second-factors.ts';
import { digestOf } from '../lib/secrets.ts';
import { type Level, levelOf } from '../lib/sign-in-level.ts';
import type { Database } from '../postgres/database.ts';
import { dropAmbiguousCookie } from '../web/cookies.ts';
import { chooseLanguage, isWishOfClient, languageOfBrowser, requestedLanguage } from '../web/language.ts';
import { clientAddress } from '../web/request-log.ts';
import { rememberLanguage } from './remembered-language.ts';
import { isSetupDue } from './second-factor.ts';
import { deleteSession, findSession, registerSession, touchSession } from './sessions.sql.ts';

declare module 'express-session' {
  interface SessionData {
    user_id: number;
    user_agent: string | null;
    language: string;
    chosen_language: string | null | undefined;
    address: string | null;
    is_stale: boolean;
    is_admin: boolean;
    auth_time: Date | undefined;
    auth_age: number | undefined;
    methods: readonly Method[];
    acr: string | undefined;
    amr: readonly string[] | undefined;
    source: string | undefined;
    provider_session_id: string | undefined;
    sessions_version: string | undefined;
    sign_in: ToldTrace | undefined;
  }
}

/** A way to prove who one is: here, or at the site of the provider, or at another OpenID provider; and what was proved beside it. */
export type Method = 'password' | 'website' | 'provider' | SecondFactor;

/** Who signs in, and how that was proved. */
export interface Proof {
  user_id: number;
  methods: readonly Method[];
  /** the time of the proof, if not now: a session that continues another one is no newer proof */
  auth_time?: Date | undefined;
  /** how the other side says that it was proved [OpenID Connect Core §2] */
  acr?: string | undefined;
  amr?: readonly string[] | undefined;
  /** the site that says so, see ProofElsewhere */
  source?: string | undefined;
  /** the sign-in at a provider, which the provider can end */
  provider_session_id?: string | undefined;
  /** the version when the person proved it: an end of their sessions since then ends this session, too; undefined: just now */
  sessions_version?: string | undefined;
}

export function signedInUser(req: Request): number | undefined {
  return req.session.user_id;
}

/** The state of the account when this session was looked for, see NewSession: a change counts only if nobody has ended sessions since. */
export const sessionsVersionOf = ({ session }: Request): string => session.sessions_version ?? '';

/** Whether an administrator is signed in. The statement that finds the session says so, and the answer takes nobody longer. */
export function isAdministrator(req: Request): boolean {
  return signedInUser(req) !== undefined && req.session.is_admin === true;
}

/**
 * Seconds since the person proved who they are, by the clock of the database; 0 in the request that did so. After that clock was put
 * back, a proof may be of the future, and is taken for as old as it is ahead.
 */
export function secondsSinceProof(req: Request): number {
  return Math.abs(req.session.auth_age ?? 0);
}

/** The auth_time of a person who has signed in at a provider that tells none: too long ago for everything that asks. */
export const unknownTime = new Date(0);

/** Whether the place at which the person signed in says when it asked who they are. */
export function hasKnownTime({ session: { auth_time } }: Request): boolean {
  return auth_time?.getTime() !== unknownTime.getTime();
}

/** The session of the person, and how they have signed in, as codes and tokens tell it. */
export function signInOf(
  { session, sessionID }: Request,
  { two_factors_elsewhere }: Config,
): {
  sid_sha256: Buffer;
  /** undefined if the time is unknown */
  auth_time: Date | undefined;
  acr: Level;
} {
  const { methods, auth_time } = session;
  const acr = levelOf(methods ?? [], session, two_factors_elsewhere);
  const known = auth_time?.getTime() === unknownTime.getTime() ? undefined : auth_time;
  return { sid_sha256: digestOf(sessionID), auth_time: known, acr };
}

/**
 * Signs a person in, with a new session id, so that one planted by an attacker is worthless (session fixation). `sign_in` is written
 * with the session; a session that continues another one has none. False if somebody has ended the sessions of the person since the
 * proof.
 */
export async function signIn(
  req: Request,
  proof: Proof & { sessions_version: string },
  sign_in?: ToldTrace,
): Promise<boolean> {
  await leaveSession(req);
  Object.assign(req.session, { ...proof, sign_in });
  req.session.user_agent = req.headers['user-agent']?.slice(0, 400) ?? null;
  req.session.address = clientAddress(req);
  req.session.language = chooseLanguage(req);
  req.session.chosen_language = isWishOfClient(req) ? undefined : (requestedLanguage(req) ?? languageOfBrowser(req));
  await new Promise<void>((resolve, reject) => {
    req.session.save((error) => (error ? reject(error) : resolve()));
  });
  return req.session.auth_time !== undefined;
}

/** Leaves the session, which is over or about to be replaced: forms of this answer belong to nobody who is signed in. */
export function leaveSession(req: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    req.session.regenerate((error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Middleware behind the reading of the body, which can arrive long after its headers: a session that was ended in the meantime is over
 * for this request, too.
 */
export const stillSignedIn: RequestHandler = (req, _res, next) => {
  if (signedInUser(req) === undefined) return next();
  req.sessionStore.get(req.sessionID, (error, found) => (error || found ? next(error) : req.session.regenerate(next)));
};

/** Continues the session of a signed-in person under a new id, which is no newer proof of who they are, after a change that has ended it. */
export async function renewSession(req: Request, sessions_version: string): Promise<void> {
  const { user_id, methods, auth_time, acr, amr, source, provider_session_id } = req.session as SessionData;
  await signIn(req, { user_id, methods, auth_time, acr, amr, source, provider_session_id, sessions_version });
}

export async function signOut(req: Request): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    req.session.destroy((error) => (error ? reject(error) : resolve()));
  });
}

/** Middleware for sessions. A session is stored from sign-in to sign-out; visitors who do not sign in have none. */
export function sessions(deps: Deps): RequestHandler[] {
  const { config, sessionSecrets } = deps;
  const name = config.secure ? '__Host-session' : 'session';
  const expressSession = session({
    name,
    secret: [...sessionSecrets],
    store: new PostgresStore(deps),
    resave: false,
    saveUninitialized: false,
    rolling: false,
    proxy: true,
    cookie: { httpOnly: true, sameSite: 'lax', secure: config.secure, path: '/' },
  });
  // the scheme of the issuer decides whether cookies are Secure, not a header that any client can send
  const prepareRequest: RequestHandler = (req, _res, next) => {
    req.headers['x-forwarded-proto'] = config.secure ? 'https' : 'http';
    dropAmbiguousCookie(req, name);
    next();
  };
  return [prepareRequest, expressSession, rememberLanguage(deps)];
}

/** The store of express-session. The database has only digests of session ids, so a copy of it signs nobody in. */
class PostgresStore extends Store {
  readonly #deps: Pick<Deps, 'config' | 'database'>;
  /** express-session does not notice that a session with a new id was saved, and saves it again after the answer */
  readonly #saved = new WeakSet<SessionData>();

  constructor(deps: Pick<Deps, 'config' | 'database'>) {
    super();
    this.#deps = deps;
  }

  get #database(): Database {
    return this.#deps.database;
  }

  override get(sid: string, done: (error: unknown, session?: SessionData | null) => void): void {
    findSession(this.#database, digestOf(sid)).then((found) => {
      if (!found) return done(null, null);
      const { data, demanded_for, ...current } = found;
      // the session counts as ended: no page and no grant before the next sign-in, which leads to the setup
      if (isSetupDue(this.#deps, found, found.methods)) return done(null, null);
      done(null, { ...data, ...current } as SessionData);
    }, done);
  }

  override set(sid: string, session: SessionData, done: (error?: unknown) => void): void {
    if (this.#saved.has(session)) return done();
    this.#saved.add(session);
    const { user_id, user_agent, language, chosen_language, methods, auth_time, ...rest } = session;
    const { auth_age: _age, is_admin: _admin, sign_in, sessions_version = '', ...data } = rest;
    const chosen = { language, chosen_language: chosen_language ?? undefined };
    const { provider_session_id } = session;
    const known = {
      user_id,
      user_agent,
      methods,
      auth_time,
      provider_session_id,
      sign_in,
      sessions_version,
      ...chosen,
    };
    const stored = { sid_sha256: digestOf(sid), ...known, data: { ...data, user_id } };
    registerSession(this.#database, stored).then((registered) => {
      session.auth_time = registered;
      done();
    }, done);
  }

  override destroy(sid: string, done: (error?: unknown) => void): void {
    deleteSession(this.#database, digestOf(sid)).then(() => done(), done);
  }

  /** Called at the end of every request; writes only every few minutes, which is precise enough for the idle limit. */
  override touch(sid: string, session: SessionData, done: () => void): void {
    if (!session.is_stale) return done();
    touchSession(this.#database, digestOf(sid)).then(done, done);
  }
}
