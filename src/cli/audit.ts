import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AuditEvent,
  type RecordedEvent,
  registerAuditEvent,
  routineEvents,
  type Trace,
} from '../audit/audit.sql.ts';
import { type ExportFormat, exportEvents, jsonLine, shownMembers } from '../audit/audit-export.ts';
import {
  doerOf,
  type RestrictionProblem,
  readRestrictions,
  searchedEvents,
  type TypedRestrictions,
} from '../audit/audit-restrictions.ts';
import {
  type AuditFilter,
  type FoundEvent,
  findEvents,
  findEventsForward,
  findSettledTime,
} from '../audit/audit-search.sql.ts';
import { noticeOf } from '../audit/notices.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import type { Database } from '../postgres/database.ts';
import { type Page, pagesOf } from '../postgres/pagination.sql.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { command, UsageError } from './command.ts';
import { didYouMean } from './completion.ts';
import { formatCell, formatTable, readLimit, wrapped } from './format.ts';
import { writeLines } from './long-output.ts';
import { findNamedUser, requireUser } from './named-user.ts';
import type { Shell } from './shell.ts';
import { announceIn, withSchema } from './with-database.ts';

/** What an operator does, for the statement that does it. */
export const byCommand = (event: AuditEvent): RecordedEvent => ({ ...event, ...commandTrace() });

/** Records what an operator does that changes nothing: before it is done, since what was shown cannot be taken back. */
export function recordEvent(database: Database, event: AuditEvent): Promise<void> {
  return registerAuditEvent(database, event, commandTrace());
}

/** The mails that tell people what an operator did to their account, if mail is sent. */
export async function noticesIn(shell: Shell, database: Database): Promise<(event: AuditEvent) => Buffer | null> {
  const config = shell.config();
  const sessionSecrets = sendsMail(config) ? await findSessionSecrets(config, database) : [];
  return (event) => noticeOf({ config, sessionSecrets }, { address: null }, event, 'operator');
}

/** A command has no request, so its request id is a random one. */
export function commandTrace(): Trace {
  return { request_id: `command-${randomBytes(6).toString('hex')}`, address: null };
}

/** Milliseconds between two looks for new events. */
const lookEvery = 1000;
/** Events that one statement of a look reads. */
const pageSize = 100;

export const audit = command({
  name: 'audit',
  summary: 'Show the latest audit events, or those of a user, a client or a period.',
  details: `Issued and refreshed tokens are shown only where nothing but the time is given; so are the access tokens of one authorization that its
client revokes within a day, except the first. A TIME is so long ago (90s, 15m, 24h, 7d), a day (2026-11-25)
or a time in UTC (2026-11-25T08:00), of which all is meant; other zones are written out (2026-11-25T08:00+01:00).
--export prints all events that fit, as CSV or as JSON lines. An EVENT is one of:
${wrapped(searchedEvents.join(', '))}`,
  options: {
    limit: { type: 'string', value: 'N', help: 'maximum number of events (default 50)' },
    user: { type: 'string', value: 'NAME', help: 'what happened to this user' },
    by: { type: 'string', value: 'NAME', help: 'what this administrator or system user did to others' },
    client: { type: 'string', value: 'ID', help: 'of this client' },
    event: { type: 'string', value: 'EVENT', help: 'of this kind' },
    address: { type: 'string', value: 'ADDRESS', help: 'from this IP address, such as 192.0.2.7' },
    request: { type: 'string', value: 'ID', help: 'of the request with this id' },
    since: { type: 'string', value: 'TIME', help: 'not before' },
    until: { type: 'string', value: 'TIME', help: 'not after' },
    follow: { type: 'boolean', help: 'continue with new events until Ctrl-C; with --json, one object per line' },
    export: { type: 'string', value: 'csv|jsonl', help: 'print a file' },
  },
  async run({ options, shell, isJson }) {
    const limit = readLimit('audit', options.limit ?? '50');
    const format = readFormat(options.export);
    if (format !== undefined && (options.follow || options.limit !== undefined))
      throw new UsageError('audit: --export prints all events until now, so leave out --follow and --limit');
    const restrictions = readRestrictions(options);
    if (typeof restrictions === 'string') throw new UsageError(`audit: ${sentenceOf(restrictions, options)}`);
    const { client: client_id, request: request_id } = options;
    return withSchema(shell, async (database) => {
      const user_id = options.user === undefined ? undefined : (await requireUser(database, options.user)).user_id;
      const doer = options.by === undefined ? {} : doerOf(await findNamedUser(database, options.by), options.by);
      const filter = { ...restrictions, ...doer, user_id, client_id, request_id };
      const notes = isWithoutRoutine(filter) ? [routineNote] : [];
      if (format !== undefined || options.follow) for (const note of notes) announceIn(shell)(note);
      if (format !== undefined) {
        await recordEvent(database, { event: 'audit_exported', detail: format });
        await writeLines(shell, exportEvents(database, filter, format));
        return undefined;
      }
      if (options.follow) {
        await writeLines(shell, follow(database, filter, { limit, isJson }));
        return undefined;
      }
      const { rows: events, next } = await findLatest(database, filter, limit);
      if (next !== undefined) notes.push(`These are the latest ${limit}. Earlier ones: --limit, --until, or --export.`);
      if (isJson) for (const note of notes) announceIn(shell)(note);
      return {
        text: [formatTable(events.map(rowOf), 'There are no audit events.'), ...notes].join('\n\n'),
        json: events.map(shownMembers),
      };
    });
  },
});

/** However hard they are to find. */
async function findLatest(database: Database, filter: AuditFilter, limit: number): Promise<Page<FoundEvent>> {
  const found: FoundEvent[] = [];
  let next: string | undefined;
  do {
    const page = await findEvents(database, filter, next, limit - found.length);
    found.push(...page.rows);
    next = page.next;
  } while (next !== undefined && found.length < limit);
  return { rows: found, next };
}

const routineNote =
  'Issued and refreshed tokens are not among these, and of the access tokens of one authorization that its client revokes within a day only the first: all are listed only where nothing but the time is given.';

/** Whether a reader could take their absence for a fact. */
const isWithoutRoutine = ({ user_id, by_system_user, client_id, address, request_id, event }: AuditFilter) =>
  event === 'token_revoked' ||
  (event === undefined &&
    [user_id, by_system_user, client_id, address, request_id].some((value) => value !== undefined));

function sentenceOf(problem: RestrictionProblem, { event = '', address, since, until }: TypedRestrictions): string {
  if (problem === 'no_such_event') return unknownEvent(event);
  if (problem === 'address_malformed') return `--address ${address} is no network address such as 192.0.2.7`;
  if (problem === 'times_reversed') return `--since ${since} is after --until ${until}: no event can be between them`;
  return problem === 'since_malformed' ? malformedTime('since') : malformedTime('until');
}

const malformedTime = (name: string) => `--${name} is no time such as 24h, 2026-11-25 or 2026-11-25T08:00`;

function unknownEvent(typed: string): string {
  if (routineEvents.some((name) => name === typed))
    return `${typed} is not searched for: it is listed where nothing but the time is given`;
  const alike = searchedEvents.filter((name) => name.split('_')[0] === typed.split('_')[0]).join(', ');
  const meant = didYouMean([typed], searchedEvents) || (alike && `; there are ${alike}`);
  return `there is no event "${typed}"${meant || '; latchkey audit --help names all'}`;
}

const by = ({ by_user_id, by_username, by_system_user }: FoundEvent) =>
  by_username ?? (by_user_id === null ? by_system_user : `user ${by_user_id}`);

const rowOf = (event: FoundEvent) => ({
  at: event.happened_at,
  event: event.event,
  user_id: event.user_id,
  user: event.username,
  client_id: event.client_id,
  address: event.address,
  request_id: event.request_id,
  by: by(event),
  detail: event.detail,
});

/**
 * The latest events, oldest first, and then new ones as they come. Each look reads all events forward from the time up to which the look
 * before it can have missed none, and leaves out those that were there already.
 */
async function* follow(
  database: Database,
  filter: AuditFilter,
  { limit, isJson }: { limit: number; isJson: boolean },
): AsyncGenerator<string> {
  const lineOf = isJson ? jsonLine : (event: FoundEvent) => Object.values(rowOf(event)).map(formatCell).join('  ');
  let since = later(filter.since, await findSettledTime(database));
  let shown = new Set<string>();
  for await (const { key } of eventsForward(database, { ...filter, since })) shown.add(key);
  const { rows: latest } = await findLatest(database, filter, limit);
  for (const event of latest.reverse()) {
    shown.add(event.key);
    yield lineOf(event);
  }
  for (;;) {
    await pause(lookEvery);
    const settled = await findSettledTime(database);
    const read = new Set<string>();
    for await (const event of eventsForward(database, { ...filter, since })) {
      read.add(event.key);
      if (!shown.has(event.key)) yield lineOf(event);
    }
    [shown, since] = [read, later(since, settled)];
  }
}

async function* eventsForward(database: Database, filter: AuditFilter): AsyncGenerator<FoundEvent> {
  for await (const events of pagesOf((after) => findEventsForward(database, filter, after, pageSize))) yield* events;
}

const later = (one: Date | undefined, other: Date): Date => (one && one > other ? one : other);

function readFormat(format: string | undefined): ExportFormat | undefined {
  if (format === undefined || format === 'csv' || format === 'jsonl') return format;
  throw new UsageError('audit: --export is csv or jsonl');
}
