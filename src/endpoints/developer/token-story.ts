import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { type Ending, endingsOf } from '../../grants/token-endings.ts';
import { bodyParameters } from '../../http/parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import type { TokenEvent, TokenStory } from '../../pages/views/token-story.ts';
import { isSecret, keyOf } from '../../protocol/secrets.ts';
import { type FamilyEvent, listFamilyEvents } from '../../store/audit.ts';
import { findTokenFacts, type TokenFacts } from '../../store/token-facts.ts';
import { forApplicationForm, renderApplication } from './application.ts';

/** Answered at once and not by a redirect: the token comes in the body of this request, and is kept nowhere. */
export const tellTokenStory = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async (page) => {
    const token = fieldOf(bodyParameters(page.req), 'token').trim();
    const story = await storyOf(deps, token, page.application.client_id);
    return renderApplication(page, 200, { story });
  });

async function storyOf({ database }: Deps, token: string, client_id: string): Promise<TokenStory> {
  if (!kinds.some((kind) => isSecret(kind, token))) return { kind: 'malformed' };
  const facts = await findTokenFacts(database, keyOf(token));
  if (facts?.client_id !== client_id) return { kind: 'unknown' };
  return tellStory(facts, await listFamilyEvents(database, facts.code_id));
}

const kinds = ['authorization_code', 'access_token', 'refresh_token'] as const;

type Entry = { at: Date; event: TokenEvent };

/** From the first redemption to what it is worth now; the ending that came first is the one that ended it. */
function tellStory(facts: TokenFacts, trail: readonly FamilyEvent[]): TokenStory {
  const { kind, issued_at, redeemed_at, read_at } = facts;
  const redeemed: Entry[] =
    redeemed_at && kind !== 'authorization_code' ? [{ at: redeemed_at, event: 'code_redeemed' }] : [];
  const ended = endingsOf(facts).map(({ at, ending }): Entry => {
    return { at, event: ending === 'family_revoked' ? familyEnding(facts, trail) : inStory[ending] };
  });
  const alive = ended.length === 0;
  const today: Entry[] = [{ at: read_at, event: 'alive' }];
  // a registration keeps no history: that it is narrower than the token is known, and not since when
  if (facts.is_narrowed) today.unshift({ at: read_at, event: 'scope_unregistered' });
  const rest = alive ? today : ended;
  const events = [...redeemed, { at: issued_at, event: 'issued' as const }, ...changesIn(facts, trail), ...rest];
  return { kind, alive, events: events.sort((one, other) => one.at.getTime() - other.at.getTime()) };
}

const inStory: Record<Exclude<Ending, 'family_revoked'>, TokenEvent> = {
  redeemed: 'code_redeemed',
  rotated: 'replaced',
  token_revoked: 'revoked_by_client',
  grant_revoked: 'revoked_by_user',
  grant_expired: 'expired',
  client_disabled: 'client_disabled',
  user_disabled: 'user_disabled',
  expired: 'expired',
};

/** Why the family ended: the first event that was written about it after its end. */
function familyEnding({ family_revoked_at }: TokenFacts, trail: readonly FamilyEvent[]): TokenEvent {
  const causes = trail.filter(({ event, happened_at }) => event in endings && happened_at >= (family_revoked_at ?? 0));
  return endings[causes.at(-1)?.event ?? ''] ?? 'revoked';
}

const endings: Record<string, TokenEvent> = {
  refresh_token_reused: 'reused',
  code_reused: 'code_replayed',
  code_verifier_wrong: 'verifier_wrong',
  token_revoked: 'revoked_by_client',
  token_leaked: 'leaked',
};

/** What happened to the family while the token lived, and the latest moment at which a permission may have gone. */
function changesIn(facts: TokenFacts, trail: readonly FamilyEvent[]): Entry[] {
  const { kind, issued_at, rotated_at, is_reduced, grant_changed_at } = facts;
  const later = trail.filter(({ happened_at }) => happened_at > issued_at);
  const refreshed = later
    .filter(({ event }) => event === 'tokens_refreshed' && kind !== 'authorization_code')
    .filter(({ happened_at }) => happened_at.getTime() !== rotated_at?.getTime())
    .slice(0, 10)
    .map(({ happened_at }): Entry => ({ at: happened_at, event: 'refreshed' }));
  const reduced: Entry[] = is_reduced ? [{ at: grant_changed_at, event: 'permission_removed' }] : [];
  return [...refreshed, ...reduced];
}
