import type { RequestHandler } from 'express';
import { audit } from '../audit/audit.ts';
import { type ExportFormat, exportEvents, exportTypes, unhurried } from '../audit/audit-export.ts';
import {
  doerOf,
  numberOf,
  type RestrictionProblem,
  readRestrictions,
  searchedEvents,
} from '../audit/audit-restrictions.ts';
import { type AuditFilter, findEvents } from '../audit/audit-search.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import type { SignedInPage } from '../identity/person.ts';
import { findUserByName } from '../identity/users.sql.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { answerDownload } from '../web/answers.ts';
import { chooseLanguage, type Translate, translator } from '../web/language.ts';
import { afterOf, pagingOf } from '../web/paging.ts';
import { renderView } from '../web/render.ts';
import { fieldOf, queryParameters } from '../web/request-parameters.ts';
import type { EventFilterFault, TypedEventFilter } from './admin.view.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { frameOf } from './parts.ts';
import { eventsPath, pathWith } from './path.ts';
import { shownEvent } from './rows.ts';
import { readWords } from './searched-words.ts';

const pageSize = 50;
/** Seconds after which a page that follows is loaded again, until the sign-in is too old. */
const followsEvery = 5;

/** The audit trail, newest first, restricted to what was typed. */
export const showEvents = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const query = queryParameters(page.req);
    const typed = typedFilter(page, query);
    const filter = await filterOf(page, typed);
    const after = afterOf(page.req);
    const found = isRefused(filter)
      ? { rows: [], next: undefined }
      : await findEvents(deps.database, filter, after, pageSize);
    const restrictions: Restrictions = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
    const follows = fieldOf(query, 'follow') === '1' && after === undefined && !isRefused(filter);
    // a header of browsers, for which no script is needed
    if (follows) page.res.setHeader('Refresh', followsEvery);
    const { base } = deps.config;
    renderView(
      page,
      'admin-events',
      {
        ...frameOf(page, 'events'),
        action: base + eventsPath,
        export_action: `${base}${eventsPath}/export`,
        typed,
        filters: filtersOf(restrictions).map((one) => ({ ...one, href: base + pathWith(eventsPath, one.others) })),
        periods: offered.map((period) => {
          const since = period && beginnings[period];
          const others = { ...without(restrictions, ['since', 'until']), ...(since && { since }) };
          const is_current = restrictions['since'] === since && restrictions['until'] === undefined;
          return { period, is_current, href: base + pathWith(eventsPath, others) };
        }),
        leaves_out_routine: !isRefused(filter) && Object.keys(without({ ...filter }, ['since', 'until'])).length > 0,
        event_names: searchedEvents,
        events: found.rows.map((event) => shownEvent(page, event)),
        paging: pagingOf(page, eventsPath, found.next, restrictions),
        follow_href: base + pathWith(eventsPath, follows ? restrictions : { ...restrictions, follow: '1' }),
        follows,
        ...('unknown' in filter && { unknown_word: filter.unknown }),
        ...('field' in filter && { fault: filter }),
      },
      isRefused(filter) ? 400 : 200,
    );
  });

type Field = keyof TypedEventFilter;
type Restrictions = Readonly<Record<string, string>>;

/** The periods that the page offers, each as it would be typed; the first has no beginning. */
const beginnings = { day: '24h', week: '7d', month: '30d' } as const;
const offered = [undefined, 'day', 'week', 'month'] as const;

const without = <Value>(all: Readonly<Record<string, Value>>, left: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== undefined && !left.includes(name)));

/** What was typed, each with the restrictions that remain without it. */
function filtersOf(restrictions: Restrictions) {
  const period = offered.find((name) => name && beginnings[name] === restrictions['since']);
  return Object.entries(restrictions).map(([name, value]) => {
    const others = without(restrictions, [name]);
    return { name: name as Field, value, others, ...(name === 'since' && period && { period }) };
  });
}

/** Exports all events that fit, as a file. A page of them is read when the browser has taken the one before, and none after it has gone. */
export const exportAudit = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const { res } = page;
    const filter = await filterOf(page, typedFilter(page, form));
    const format = fieldOf(form, 'format');
    if (isRefused(filter) || !isFormat(format)) throw new OAuthError('invalid_request', 'the export is malformed');
    // before the act, which changes nothing and cannot be taken back
    await audit(deps, administratorsTrace(page), { event: 'audit_exported', detail: format });
    await answerDownload(
      res,
      exportTypes[format],
      `audit.${format}`,
      withLineEnds(unhurried(exportEvents(deps.database, filter, format))),
    );
  });

const isFormat = (name: string): name is ExportFormat => Object.hasOwn(exportTypes, name);

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function typedFilter({ req }: SignedInPage, parameters: Parameters): TypedEventFilter {
  const typed = (name: string) => fieldOf(parameters, name).trim().slice(0, 255);
  return {
    q: typed('q'),
    user: typed('user'),
    by: typed('by'),
    client: typed('client'),
    event: eventOf(typed('event'), translator(chooseLanguage(req)).t),
    address: typed('address'),
    request: typed('request'),
    since: typed('since'),
    until: typed('until'),
  };
}

/** The field suggests what people read, such as “Account disabled”; an event is known by its name, too. */
const eventOf = (typed: string, t: Translate): string =>
  searchedEvents.find((event) => t(`admin.did.${event}`).toLowerCase() === typed.toLowerCase()) ?? typed;

type Refused = EventFilterFault | { unknown: string };
const isRefused = (filter: AuditFilter | Refused): filter is Refused => 'field' in filter || 'unknown' in filter;

const faults: Readonly<Record<RestrictionProblem, EventFilterFault>> = {
  no_such_event: { field: 'event', problem: 'no_such_event' },
  address_malformed: { field: 'address', problem: 'address_malformed' },
  since_malformed: { field: 'since', problem: 'time_malformed' },
  until_malformed: { field: 'until', problem: 'time_malformed' },
  times_reversed: { field: 'since', problem: 'times_reversed' },
};

async function filterOf(page: SignedInPage, typed: TypedEventFilter): Promise<AuditFilter | Refused> {
  const { deps } = page;
  // Postgres knows no text with this character
  const unreadable = (Object.keys(typed) as (keyof typeof typed)[]).find((field) => typed[field].includes('\0'));
  if (unreadable) return { field: unreadable, problem: 'no_such_person' };
  const person = typed.user === '' ? undefined : await findUserByName(deps.database, typed.user);
  if (person === 'ambiguous') return { field: 'user', problem: 'ambiguous_person' };
  // a deleted person leaves only the number
  const user_id = person?.user_id ?? numberOf(typed.user);
  if (typed.user !== '' && user_id === undefined) return { field: 'user', problem: 'no_such_person' };
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '')) as Partial<typeof typed>;
  const restrictions = readRestrictions(given);
  if (typeof restrictions === 'string') return faults[restrictions];
  const by = given.by === undefined ? undefined : await findUserByName(deps.database, given.by);
  if (by === 'ambiguous') return { field: 'by', problem: 'ambiguous_person' };
  const doer = given.by === undefined ? {} : doerOf(by, given.by);
  const fields = { ...restrictions, ...doer, user_id, client_id: given.client, request_id: given.request };
  const words = await readWords(page, typed.q);
  if ('unknown' in words) return words;
  // a field counts more than a word
  return {
    ...words,
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    ...(given.event && { events: undefined }),
  };
}
