import { isIP } from 'node:net';
import { numberOf, searchedEvents, typedTime } from '../audit/audit-restrictions.ts';
import type { AuditFilter } from '../audit/audit-search.sql.ts';
import { findAnyClient } from '../clients/clients.sql.ts';
import type { SignedInPage } from '../identity/person.ts';
import { findUserByName } from '../identity/users.sql.ts';
import { isClientId } from '../lib/client-id.ts';
import type { Database } from '../postgres/database.ts';
import { chooseLanguage, type Translate, translator } from '../web/language.ts';

// The search of events in one field, as "ada revoked yesterday".

/** Words that are looked up as names; a further one is not understood. */
const mostNames = 6;

/** Reads what the words restrict the events to, or returns the first that means nothing. A name may have several words. */
export async function readWords({ deps, req }: SignedInPage, text: string): Promise<AuditFilter | { unknown: string }> {
  const { t } = translator(chooseLanguage(req));
  const words = text.split(/\s+/).filter((word) => word !== '');
  const ofKind = (kind: Kind) => words.filter((word) => kindOf(word, t) === kind);
  const acts = ofKind('event');
  const events = searchedEvents.filter((event) => acts.every((word) => isIn(event, word, t)));
  if (events.length === 0) return { unknown: acts.join(' ') };
  const names = await readNames(deps.database, ofKind('name'));
  if ('unknown' in names) return names;
  const restrictions = { ...readTimes(ofKind('time'), t), address: ofKind('address').at(-1) };
  return { ...names, ...restrictions, ...(acts.length > 0 && { events }) };
}

type Kind = 'time' | 'address' | 'event' | 'name';

function kindOf(word: string, t: Translate): Kind {
  if (isIP(word) !== 0) return 'address';
  if (dayOf(word, t) !== undefined || typedTime(word, 'begin')) return 'time';
  return searchedEvents.some((event) => isIn(event, word, t)) ? 'event' : 'name';
}

const shortestWord = 4;

/** Whether the word is in the name of the event, or begins a word of its text. Chinese has no spaces. */
function isIn(event: (typeof searchedEvents)[number], word: string, t: Translate): boolean {
  const typed = word.toLowerCase();
  const text = t(`admin.did.${event}`).toLowerCase();
  if (/^\p{Script=Han}{2,}$/u.test(typed)) return text.includes(typed);
  if (event === typed) return true;
  return typed.length >= shortestWord && [...event.split('_'), ...text.split(' ')].some((one) => one.startsWith(typed));
}

/** The day of a word such as "yesterday", in UTC. */
function dayOf(word: string, t: Translate): string | undefined {
  const typed = word.toLowerCase();
  const ago = [t('admin.word.today'), t('admin.word.yesterday')].indexOf(typed);
  return ago < 0 ? undefined : new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
}

/** A day or a time is the whole of it; a time such as 24h, and the first of two, is a beginning. */
function readTimes(words: string[], t: Translate): Pick<AuditFilter, 'since' | 'until'> {
  const [begin, end] = words.map((word) => dayOf(word, t) ?? word);
  if (begin === undefined) return {};
  const last = end ?? (/[smhd]$/.test(begin) ? undefined : begin);
  return { since: typedTime(begin, 'begin'), until: last === undefined ? undefined : typedTime(last, 'end') };
}

/** The person and the application of the names, and the number of a request. */
async function readNames(database: Database, names: string[]): Promise<AuditFilter | { unknown: string }> {
  const whole = names.join(' ');
  const person = names.length > 1 ? await findUserByName(database, whole) : undefined;
  if (typeof person === 'object') return { user_id: person.user_id };
  const filter: AuditFilter = {};
  for (const [at, name] of names.entries()) {
    const read = at < mostNames ? await readName(database, name, filter) : undefined;
    if (!read) return { unknown: name };
    Object.assign(filter, read);
  }
  return filter;
}

async function readName(database: Database, name: string, known: AuditFilter): Promise<AuditFilter | undefined> {
  if (known.user_id === undefined) {
    const person = await findUserByName(database, name);
    // a deleted person leaves only the number
    const user_id = typeof person === 'object' ? person.user_id : numberOf(name);
    if (user_id !== undefined) return { user_id };
  }
  if (known.client_id === undefined && isClientId(name) && (await findAnyClient(database, name))) {
    return { client_id: name };
  }
  return known.request_id === undefined && /^(?=.*\d)[\w-]{8,}$/.test(name) ? { request_id: name } : undefined;
}
