import { isDeepStrictEqual } from 'node:util';
import type { RequestHandler } from 'express';
import { recordAct } from '../audit/audit.ts';
import {
  countPeopleWithScope,
  type DescribedScope,
  deleteScope,
  describeScope,
  findScope,
  findScopeUses,
  type ScopeUse,
  type Sentences,
} from '../catalogue/scopes.sql.ts';
import { findOriginInSeeds } from '../clients/origins.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { changedMeanwhile, isOwnInput, keptInput, madeFrom, restored } from '../identity/form-origin.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { ownScopes } from '../lib/profile.ts';
import { orProblems } from '../postgres/refused-values.sql.ts';
import { redirectWithin } from '../web/answers.ts';
import { languages } from '../web/language.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { FormState } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import type { SentencesForm } from './admin-registrations.view.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { frameOf, runOfSeed } from './parts.ts';
import { applicationPath, resourcePath, scopePath, scopesPath } from './path.ts';

interface ScopePage extends SignedInPage {
  readonly scope: DescribedScope;
}

/** What is described on the page: the scope, or the group that it is in. */
const subjects = {
  describe: {
    kind: 'scope',
    nameOf: ({ name }: DescribedScope) => name,
    shownOf: ({ sentence, sentences }: DescribedScope): Sentences => ({ sentence, sentences }),
  },
  describe_group: {
    kind: 'group',
    nameOf: ({ group_name }: DescribedScope) => group_name,
    shownOf: ({ group_sentence, group_sentences }: DescribedScope): Sentences => ({
      sentence: group_sentence,
      sentences: group_sentences,
    }),
  },
} as const;
type Action = keyof typeof subjects;

/** What a form said that is shown again, and why. */
type Outcome = Pick<Views['admin-scope'], 'notice' | 'problem'> & {
  form?: Partial<FormState> & { action: Action; values: SentenceValues };
};

export const showScope = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const scope = await requireScope(page);
    const kept = keptInput(page, page.req.path);
    const action = kept && actionIn(kept);
    return render({ ...page, scope }, 200, {
      notice: noticeOf(page.req, ['scope_created', 'scope_described'] as const),
      ...(kept && action && { form: { action, values: typedSentences(kept, scope, action), ...restored(kept) } }),
    });
  });

/** Handles one button of the page of a scope. */
export const changeScope = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (signedIn, form) => {
    const page = { ...signedIn, scope: await requireScope(signedIn) };
    const action = actionIn(form);
    if (action) return describe(page, form, action);
    if (fieldOf(form, 'action') !== 'delete') throw new OAuthError('invalid_request', 'action is none of this page');
    return remove(page, form);
  });

const actionIn = (form: Parameters): Action | undefined =>
  (['describe', 'describe_group'] as const).find((action) => action === fieldOf(form, 'action'));

async function requireScope({ deps, req }: SignedInPage): Promise<DescribedScope> {
  const name = String(req.params['name']);
  const scope = /^[a-z][a-z0-9:_.-]{0,63}$/.test(name) ? await findScope(deps.database, name) : undefined;
  if (!scope) throw new OAuthError('not_found', 'there is no such scope');
  return scope;
}

type SentenceValues = Readonly<Record<string, string>>;

/** Sentences by the fields of the form. */
function sentenceValues({ sentence, sentences }: Sentences): SentenceValues {
  const said = languages.map(({ language }) => [`sentence:${language}`, sentences?.[language] ?? '']);
  return { sentence: sentence ?? '', ...Object.fromEntries(said) };
}

/** Reads the typed descriptions. An empty translation is removed; the default text can only be replaced. */
function typedSentences(form: Parameters, scope: DescribedScope, action: Action): SentenceValues {
  const stored = Object.entries(sentenceValues(subjects[action].shownOf(scope)));
  const typedOf = (field: string, value: string) => fieldOf(form, field).trim() || (field === 'sentence' ? value : '');
  return Object.fromEntries(stored.map(([field, value]) => [field, typedOf(field, value)]));
}

/** Saves the sentences that were changed, unless that would overwrite what was changed since the form was made. */
async function describe(page: ScopePage, form: Parameters, action: Action): Promise<void> {
  const { deps, scope } = page;
  const { kind, nameOf, shownOf } = subjects[action];
  const [shown, typed] = [shownOf(scope), typedSentences(form, scope, action)];
  const stored = sentenceValues(shown);
  const meanwhile = changedMeanwhile(form, typed, stored);
  if (meanwhile) {
    const state = { values: meanwhile.values, changed_meanwhile: meanwhile.changed };
    return render(page, 409, { form: { action, ...state } });
  }
  if (isDeepStrictEqual(typed, stored)) return render(page, 200, { problem: 'nothing_to_do' });
  const changed = Object.entries(typed).filter(([field, value]) => value !== stored[field]);
  const { sentence, ...others } = Object.fromEntries(changed);
  const sentences = Object.fromEntries(
    Object.entries(others).map(([field, value]) => [field.replace('sentence:', ''), value || null]),
  );
  const name = nameOf(scope);
  const event = { event: 'scope_changed', detail: name } as const;
  const description = { name, sentence, sentences, shown };
  const { done, problems } = await orProblems(
    recordAct(deps, administratorsTrace(page), event, (recorded) =>
      describeScope(deps.database, kind, description, recorded),
    ),
  );
  if (problems) {
    const kept = isOwnInput(page, form) && { form: { action, values: typed, made_from: fieldOf(form, 'made_from') } };
    return render(page, 400, { problem: 'sentence_malformed', ...kept });
  }
  // another form was saved a moment ago
  if (!done) return describe({ ...page, scope: await requireScope(page) }, form, action);
  return redirectWithin(page.res, deps.config, `${scopePath(scope.name)}?notice=scope_described`);
}

/** The values that the form which deletes a scope has shown. */
const deletedValues = ({ group_name, sentence, sentences }: DescribedScope) => ({ group_name, sentence, sentences });

async function remove(page: ScopePage, form: Parameters): Promise<void> {
  const { deps, scope, res } = page;
  if (changedMeanwhile(form, {}, deletedValues(scope))) return render(page, 409, { problem: 'changed_since' });
  const event = { event: 'scope_deleted', detail: scope.name } as const;
  const isDeleted = await recordAct(deps, administratorsTrace(page), event, (recorded) =>
    deleteScope(deps.database, scope.name, recorded),
  );
  if (!isDeleted) return render({ ...page, scope: await requireScope(page) }, 400, { problem: 'scope_in_use' });
  return redirectWithin(res, deps.config, `${scopesPath}?notice=scope_deleted`);
}

async function render(page: ScopePage, status: number, { form, ...outcome }: Outcome): Promise<void> {
  const { deps, scope } = page;
  const { database, config } = deps;
  const formOf = (action: Action): SentencesForm => {
    const stored = sentenceValues(subjects[action].shownOf(scope));
    const { values = stored, ...state } = form?.action === action ? form : {};
    const fields = Object.entries(values).map(([name, value]) => ({ name, language: languageOf(name), value }));
    return { made_from: madeFrom(page, stored), ...state, action, fields };
  };
  // claims and choices have no pages that say where they came from
  const seedOf = async ({ kind, name }: ScopeUse) =>
    kind === 'claim' || kind === 'choice' ? (await findOriginInSeeds(database, kind, name)).seed : null;
  const origin = await findOriginInSeeds(database, 'scope', scope.name);
  const uses = await Promise.all(
    (await findScopeUses(database, scope.name)).map(async (use) => ({
      ...{ ...use, href: hrefOf(config.base, use), seed: await seedOf(use) },
    })),
  );
  const data: Views['admin-scope'] = {
    ...frameOf(page, 'scopes'),
    action: config.base + scopePath(scope.name),
    back_href: config.base + scopesPath,
    name: scope.name,
    changes: scope.changes,
    is_own: ownScopes.includes(scope.name),
    origin,
    uses,
    runs: [...new Set([...uses.map(({ seed }) => seed), origin.seed])].filter((seed) => seed !== null).map(runOfSeed),
    allowed_by: await countPeopleWithScope(database, scope.name),
    form: formOf('describe'),
    group:
      hasGroup(scope) || form?.action === 'describe_group'
        ? {
            name: scope.group_name,
            origin: await findOriginInSeeds(database, 'group', scope.group_name),
            form: formOf('describe_group'),
          }
        : undefined,
    made_from: madeFrom(page, deletedValues(scope)),
    ...outcome,
  };
  renderView(page, 'admin-scope', data, status);
}

/** Whether a scope has a group. A scope without one is in a group that has its name, of which people read nothing. */
const hasGroup = ({ name, group_name, group_sentence }: DescribedScope) =>
  group_name !== name || group_sentence !== null;

/** Returns the language of a field, by the name that it has for itself; undefined for the sentence of all others. */
const languageOf = (field: string): string | undefined =>
  languages.find(({ language }) => field === `sentence:${language}`)?.name;

function hrefOf(base: string, { kind, name }: ScopeUse): string | undefined {
  if (kind === 'claim' || kind === 'choice') return undefined;
  return base + (kind === 'client' ? applicationPath(name) : resourcePath(name));
}
