import type { RequestHandler } from 'express';
import type { Deps } from '../../../deps.ts';
import { isSecret, keyOf } from '../../../protocol/secrets.ts';
import { type FamilyEvent, findTokenFacts, listFamilyEvents, type TokenFacts } from '../../../store/token-stories.ts';
import { bodyOf } from '../../parameters.ts';
import { fieldOf } from '../form-field.ts';
import type { TokenEvent, TokenStory } from '../token-story-view-data.ts';
import { forApplicationForm, renderApplication } from './application.ts';

/** Answered at once and not by a redirect: the token comes in the body of this request, and is kept nowhere. */
export const tellTokenStory = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async (person, application, req, res) => {
    const token = fieldOf(bodyOf(req), 'token').trim();
    const story = await storyOf(deps, token, application.client_id);
    return renderApplication(deps, req, res, person, application, 200, { story });
  });

async function storyOf({ database }: Deps, token: string, client_id: string): Promise<TokenStory> {
  if (!isSecret('access_token', token) && !isSecret('refresh_token', token)) return { kind: 'malformed' };
  const facts = await findTokenFacts(database, keyOf(token), client_id);
  if (!facts) return { kind: 'unknown' };
  return tellStory(facts, await listFamilyEvents(database, facts.code_id), new Date());
}

type Entry = { at: Date; event: TokenEvent };

/** From the first redemption to what it is worth now; the ending that came first is the one that ended it. */
function tellStory(facts: TokenFacts, trail: readonly FamilyEvent[], now: Date): TokenStory {
  const beginning = entries([
    [facts.redeemed_at, 'code_redeemed'],
    [facts.issued_at, 'issued'],
  ]);
  const endings = entries([
    [facts.rotated_at, 'replaced'],
    [facts.revoked_at, 'revoked_by_client'],
    [facts.family_revoked_at, familyEnding(facts, trail)],
    [facts.grant_revoked_at, 'revoked_by_user'],
    [facts.client_disabled_at, 'client_disabled'],
    [facts.user_disabled_at, 'user_disabled'],
    [earliest(facts.expires_at, facts.grant_expires_at), 'expired'],
  ]).filter(({ at }) => at <= now);
  const alive = endings.length === 0;
  const rest = alive ? entries([[now, 'alive']]) : endings;
  const events = [...beginning, ...changesIn(facts, trail), ...rest];
  return { kind: facts.kind, alive, events: events.sort((one, other) => one.at.getTime() - other.at.getTime()) };
}

/** Why the family ended: the first event that was written about it after its end. */
function familyEnding({ family_revoked_at }: TokenFacts, trail: readonly FamilyEvent[]): TokenEvent {
  const causes = trail.filter(({ event, happened_at }) => event in endings && happened_at >= (family_revoked_at ?? 0));
  return endings[causes.at(-1)?.event ?? ''] ?? 'revoked';
}

const endings: Record<string, TokenEvent> = {
  refresh_token_reused: 'reused',
  code_reused: 'code_replayed',
  token_revoked: 'revoked_by_client',
  token_leaked: 'leaked',
};

/** What happened to the family while the token lived, and the latest moment at which a permission may have gone. */
function changesIn({ issued_at, rotated_at, is_reduced }: TokenFacts, trail: readonly FamilyEvent[]): Entry[] {
  const later = trail.filter(({ happened_at }) => happened_at > issued_at);
  const refreshed = later
    .filter(({ event, happened_at }) => event === 'tokens_refreshed' && happened_at.getTime() !== rotated_at?.getTime())
    .slice(0, 10)
    .map(({ happened_at }): Entry => ({ at: happened_at, event: 'refreshed' }));
  const mind = later.find(({ event }) => event === 'consent_changed' || event === 'consent_given');
  return is_reduced && mind ? [...refreshed, { at: mind.happened_at, event: 'permission_removed' }] : refreshed;
}

function entries(pairs: [at: Date | null, event: TokenEvent][]): Entry[] {
  return pairs.flatMap(([at, event]) => (at === null ? [] : [{ at, event }]));
}

function earliest(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
