import { randomUUID } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { reasonOf } from '../../postgres/database-errors.ts';
import {
  advanceComparison,
  type Comparison,
  compareWithView,
  drawPeopleOfView,
  findInViewByStamp,
  findInViewBySubject,
  findMissingInView,
  findViewOfAccounts,
  holdComparison,
  listPeopleOfView,
  type ViewAccount,
} from './view-accounts.sql.ts';

/** Three rounds in the minute within which a change in the view counts here. */
const intervalMs = 20_000;
const peopleOfPage = 1000;
/** People for each statement: looking at a new hash takes a millisecond or two, and a statement must not last long. */
const peopleOfStatement = 250;
/** Pages of people that each round compares even where rows have stamps: a stamp can be missing, or a row gone. */
const pagesBesideStamps = 10;
/** A round ends after this time, and the next round goes on where it was. */
const longestRoundMs = 50_000;
/** The time before the last round that is read again, because commits arrive late and clocks differ. */
const overlapMs = 15 * 60_000;
/** The sample that stands for all people of the view. */
const drawnPeople = 500;

type ComparisonDeps = Pick<Deps, 'config' | 'database' | 'log'>;

/** Brings the people who come from the operator's view in line with it, again and again. One instance at a time does it. */
export function startComparing(deps: ComparisonDeps): { stop(): void } {
  const holder = randomUUID();
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await compareRound(deps, holder);
    } catch (error) {
      deps.log.warn(
        { reason: reasonOf(error) },
        'people could not be compared with latchkey_accounts; trying again in 20 seconds',
      );
    } finally {
      isRunning = false;
    }
  };
  void run();
  const timer = setInterval(run, intervalMs);
  return { stop: () => clearInterval(timer) };
}

/** Runs a round of this instance; nothing while another instance runs one, or where there is no view. */
export async function compareRound(deps: ComparisonDeps, holder: string): Promise<void> {
  const { is_there, has_stamps } = await findViewOfAccounts(deps.database);
  if (!is_there) return;
  const begun = await holdComparison(deps.database, holder);
  if (!begun) return;
  const round = { deps, holder, until: performance.now() + longestRoundMs, at: { ...begun } };
  if (has_stamps) await compareStamped(round);
  await comparePeople(round, has_stamps ? pagesBesideStamps : Number.POSITIVE_INFINITY);
}

interface Round {
  readonly deps: ComparisonDeps;
  readonly holder: string;
  readonly until: number;
  /** how far the round has come */
  at: Comparison;
}

/**
 * Compares the rows that were changed lately, by their stamps. The window follows the clock here and no stamp, so that a stamp in
 * the future hides nothing.
 */
async function compareStamped(round: Round): Promise<void> {
  const { database } = round.deps;
  while (performance.now() < round.until) {
    const { stamps_since, after_stamp, after_subject } = round.at;
    const accounts = await findInViewByStamp(
      database,
      after_stamp ?? stamps_since,
      after_stamp === null ? '' : after_subject,
    );
    // another row of the same subject may have an old stamp
    await disable(round, await compare(round, subjectsOf(accounts)));
    const last = accounts.at(-1);
    if (!last) break;
    if (!(await advance(round, { after_stamp: last.stamp, after_subject: last.subject ?? '' }))) return;
  }
  // the window of the next round begins before this one began
  const stamps_since = new Date(new Date(round.at.now).getTime() - overlapMs).toISOString();
  await advance(round, { stamps_since, after_stamp: null, after_subject: '' });
}

/** Compares the people here, page by page and at most once around: a row that is gone has no stamp. */
async function comparePeople(round: Round, pages: number): Promise<void> {
  const { database } = round.deps;
  const begunAfter = round.at.after_user;
  let isAround = begunAfter === 0;
  for (let page = 0; page < pages && performance.now() < round.until; page += 1) {
    const people = await listPeopleOfView(database, round.at.after_user, peopleOfPage);
    const { gone, wordless } = await compare(round, subjectsOf(people));
    const enabled = new Set(subjectsOf(people.filter(({ is_enabled }) => is_enabled)));
    const left = new Set(subjectsOf(people.filter(({ gone_there }) => gone_there)));
    await disable(round, {
      gone: gone.filter((subject) => enabled.has(subject) || !left.has(subject)),
      wordless: wordless.filter((subject) => enabled.has(subject)),
    });
    const isEnd = people.length < peopleOfPage;
    const after_user = isEnd ? 0 : (people.at(-1)?.user_id ?? 0);
    if (!(await advance(round, { after_user }))) return;
    if (isEnd && isAround) return;
    isAround ||= isEnd;
  }
}

const subjectsOf = (of: readonly { subject: string | null }[]) => [
  ...new Set(of.map(({ subject }) => subject).filter((subject) => subject !== null)),
];

/** Subjects that cannot sign in because the view says nothing usable about them. */
interface Unstated {
  /** subjects without a row */
  readonly gone: readonly string[];
  /** subjects with a row that has no known word in `disabled` */
  readonly wordless: readonly string[];
}

/** Stores what the view says of these subjects. */
async function compare(round: Round, subjects: readonly string[]): Promise<Unstated> {
  if (subjects.length === 0) return { gone: [], wordless: [] };
  const accounts = await findInViewBySubject(round.deps.database, subjects);
  await store(round, accounts);
  const there = new Set(subjectsOf(accounts));
  return {
    gone: subjects.filter((subject) => !there.has(subject)),
    wordless: subjectsOf(accounts.filter(({ disabled }) => disabled === null)),
  };
}

/**
 * Disables people whom the view does not let in, unless that holds for most people of the view. One statement asks for both, so
 * that a table that is being filled again is not empty for the first and full for the second.
 */
async function disable(round: Round, { gone, wordless }: Unstated): Promise<void> {
  const suspects = [...gone, ...wordless];
  if (suspects.length === 0) return;
  const { config, database, log } = round.deps;
  const drawn = await drawPeopleOfView(database, drawnPeople);
  const missing = await findMissingInView(database, [...new Set([...suspects, ...drawn])]);
  const count = drawn.filter((subject) => missing.has(subject)).length;
  if (isTooMany(count, drawn.length)) {
    log.error(
      { missing: count, of: drawn.length },
      'latchkey_accounts has no row of most people, or no known word in `disabled`, so nobody was disabled',
    );
    return;
  }
  const unasked = suspects.filter((subject) => !missing.has(subject));
  if (unasked.length > 0)
    log.warn({ subjects: unasked.slice(0, 5) }, 'latchkey_accounts cannot be asked for these subjects');
  const changed = await compareWithView(database, {
    gone: gone.filter((subject) => missing.has(subject)),
    barred: wordless.filter((subject) => missing.has(subject)),
    passwords: config.passwords,
  });
  tell(round, changed);
}

/** Whether so many are missing that the view is thought to be broken: all of several people, or the majority of many. */
const isTooMany = (missing: number, all: number) =>
  missing > 1 && (missing === all || (missing >= 10 && missing > all / 2));

async function store(round: Round, accounts: ViewAccount[]): Promise<void> {
  const { config, database, log } = round.deps;
  const seen = new Set<string | null>();
  const doubled = new Set(subjectsOf(accounts.filter(({ subject }) => seen.has(subject) || !seen.add(subject))));
  if (doubled.size > 0)
    log.warn(
      { subjects: [...doubled].slice(0, 5) },
      'latchkey_accounts has several rows of a subject: only that one of them says disabled is used',
    );
  const isDoubled = ({ subject }: ViewAccount) => doubled.has(subject ?? '');
  const ended = subjectsOf(accounts.filter((account) => isDoubled(account) && account.disabled));
  const usable = accounts.filter((account) => !isDoubled(account));
  let changed = 0;
  if (ended.length > 0) changed += await compareWithView(database, { barred: ended, passwords: config.passwords });
  for (let at = 0; at < usable.length; at += peopleOfStatement) {
    changed += await compareWithView(database, {
      accounts: usable.slice(at, at + peopleOfStatement),
      passwords: config.passwords,
    });
  }
  tell(round, changed);
}

function tell({ deps: { log } }: Round, changed: number): void {
  if (changed > 0)
    log.info(
      { changed },
      'people were disabled, enabled, left or came back, or got another password by latchkey_accounts',
    );
}

async function advance(round: Round, step: Partial<Comparison>): Promise<boolean> {
  round.at = { ...round.at, ...step };
  return advanceComparison(round.deps.database, round.holder, round.at);
}
