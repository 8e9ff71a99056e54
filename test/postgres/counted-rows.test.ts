import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

// A statement that waits for a lock goes on with its snapshot from before the wait, under READ COMMITTED. So whatever it counts beside a
// write may have changed meanwhile, unless it has locked these rows or made them itself, or a volatile function reads them anew after the
// lock. test/accounts/factors/overlapping-changes.test.ts and test/identity/last-way-in.test.ts make such statements wait.

function read(folder: string) {
  const url = new URL(folder, import.meta.url);
  const names = readdirSync(url).filter((name) => name.endsWith('.sql'));
  return names.map((name) => {
    const text = readFileSync(new URL(name, url), 'utf8').replace(/--.*/g, '').replace(/\s+/g, ' ');
    return { name: name.replace('.sql', ''), text: text.replaceAll('( ', '(').replaceAll(' )', ')') };
  });
}

const functions = read('../../migrations/functions/');
const writing = [...read('statements/'), ...read('../../migrations/')].filter(({ text }) =>
  /\b(insert into|delete from|update \w+( \w+)? set)\b/.test(text),
);

/** What a text counts: an aggregate or `exists` with the table behind it, or a function that counts. */
function countedIn(text: string): string[] {
  const counts = text.matchAll(
    /\b(exists) ?\(select\b[^()]*?from ([\w.]+)|\b(count|max|min|sum) ?\((?![^()]*\) over)[^()]*\).*? from ([\w.]+)|\bcount_(\w+) ?\((?!person integer)/g,
  );
  const named = [...counts].map(([, exists, there, aggregate, table, counted]) =>
    counted === undefined ? `${exists ?? aggregate} ${there ?? table}` : `count_${counted}`,
  );
  return [...new Set(named)];
}

/** The text of a part `name as (…)` of a statement. */
function partOf(text: string, name: string): string {
  const start = text.search(new RegExp(`\\b${name} as \\(`));
  if (start < 0) return '';
  let depth = 0;
  for (let at = text.indexOf('(', start); at < text.length; at += 1) {
    depth += { '(': 1, ')': -1 }[text[at] ?? ''] ?? 0;
    if (depth === 0) return text.slice(text.indexOf('(', start) + 1, at);
  }
  return '';
}

/** Values, and the catalogue of the database, which no statement here changes. */
const isNoTable = / (unnest|jsonb_\w+|pg_\w+[\w.]*|check_user)$/;

/** Whether these rows are locked or made by the statement itself. */
const isHeld = (text: string, counted: string) => {
  const [, rows] = counted.split(' ');
  const part = rows === undefined ? '' : partOf(text, rows);
  return /^(insert|update|delete)\b/.test(part) || /\bfor (no key )?update\b/.test(part);
};

/** Everything else, and why it counts right all the same. */
const allowed: Record<string, string> = {
  // read anew, after the row of the person was locked
  'add_passkey: count_passkeys': 'volatile',
  'link_identity_of_user: count_identities': 'volatile',
  'link_identity: count_identities': 'volatile',
  'register_user: exists users': 'volatile: it has locked the administrators',
  'register_developer_document: count clients': 'volatile: it has locked the person',
  'register_developer_document: exists clients': 'volatile: it has locked the person, of whose ticket the id is made',
  'count_passkeys: count passkeys': 'volatile',
  'count_identities: count identities': 'volatile',

  // one after the other
  'count_attempts: count_attempts': 'advisory lock for each key',
  'count_attempts: max attempts': 'advisory lock for each key',
  'keep_audit_partitions: exists audit_partitions': 'advisory lock',
  'keep_audit_partitions: exists audit_events_rest': 'advisory lock',
  'keep_audit_partitions: max audit_events_rest': 'advisory lock',
  'keep_audit_partitions: exists overdue_audit_partitions': 'advisory lock',
  'keep_client_document: exists client_documents': 'advisory lock for each client',
  'register_resource: exists resources': 'advisory lock for both spellings',

  // a unique key decides: the second one fails, or is tried again
  'keep_refresh_token_with_proofs: exists used_proofs': 'used_proofs_pkey',
  'redeem_authorization_code_with_proofs: exists used_proofs': 'used_proofs_pkey',
  'register_pushed_request_with_proofs: exists used_proofs': 'used_proofs_pkey',
  'rotate_refresh_token_with_proofs: exists used_proofs': 'used_proofs_pkey',
  'use_proofs_of_client: exists used_proofs': 'used_proofs_pkey',
  'link_identity: exists identities': 'identities_pkey: the insert finds whose it is',
  'register_new_client: exists clients': 'clients_pkey: keep_client changes none that is there',
  'register_new_scope: exists scopes': 'scopes_pkey: register_scope changes none that is there',
  'register_new_resource: exists resources': 'resources_pkey: register_resource changes none that is there',
  'register_provider: exists providers': 'providers_issuer_unique; the secret that stays is that of the locked row',
  'keep_person: exists sign_in_names': 'sign_in_names_pkey, and the function tries again',
  'keep_person: exists people_named': 'sign_in_names_pkey and users_subject_unique, and the function tries again',
  'enter_by_identity: exists sign_in_names':
    'an advisory lock for each identity; keep_person looks at the address again',
  'copy_from_view: exists sign_in_names': 'sign_in_names_pkey',
  'begin_provider_session: exists ended_at_providers': 'advisory locks on sub and sid, which every end takes, too',
  'begin_provider_session: exists identities': 'advisory locks on sub and sid, which every end takes, too',
  'register_session: exists at_provider': 'the row of provider_sessions is locked before',
  '095_choices: exists choices': 'volatile: after the advisory lock, which every change of a choice takes',
  '099_changed_choices: exists choices': 'volatile: after the advisory lock, which every change of a choice takes',
  'register_choice: exists choices': 'advisory lock, after which it looks again',
  'register_choice: min choices': 'only names in the message what stands in the way',
  'unban_site: max banned_sites':
    'of two bans lifted at the same moment, what they disabled stays so until an administrator enables it',
  'decided_with_choices: exists choices': 'every use of the token looks again',
  'subject_of_number: exists users': 'users_subject_unique',
  'subject_of_number: exists ended_numbers': 'until the person is deleted, the row in users has the number',
  'keep_person: exists ended_numbers': 'until the person is deleted, the row in users has the number',
  'register_user: exists ended_numbers': 'until the person is deleted, the row in users has the number',

  // what was counted makes no difference any more, or a change at the same moment is as good as one right after
  'change_user_profile: exists totp_factors': 'only shown: no condition of the change',
  'claim_mails: exists mails': 'the warning is queued before the mail that waits for it',
  'register_claim: exists claims': 'a claim that another operator registers at once asks people again, too',
  'revoke_own_access_token: exists audit_events':
    'two tokens of a family that are revoked at the same moment leave two events that are kept long',
  'delete_own_session: exists sessions': 'a session that is gone meanwhile is ended once more, and so is nothing else',
  'end_session_of_user: exists sessions': 'a session that is gone meanwhile is ended once more, and so is nothing else',
  'delete_other_sessions: exists sessions':
    'a session that is gone meanwhile is ended once more, and so is nothing else',
  'secure_account: exists lost_factor': 'rows that the statement has deleted',
  'sweep_minutes: count swept': 'rows that the statement has deleted',
  'link_identity: exists providers': 'a provider that goes signs nobody in, whatever is linked',
  'link_identity_of_user: exists providers': 'a provider that goes signs nobody in, whatever is linked',
  'register_silent_grant: exists own_decisions': 'a refusal right after it leaves the grant, too',
  'register_silent_grant: exists grants':
    'grants_one_standing; a grant is revoked in its row, and swept together with a row in own_decisions',
  'keep_client_document: exists grants': 'a consent right after it is one to a public client',
  'keep_client_document: exists clients_in_use': 'a client that nobody has used comes back with its document',
  '080_algorithm_of_assertions: exists client_documents':
    'the file holds the exclusive lock of clients, so that no registration replaces a document meanwhile',
  'check_registration: exists buried_clients': 'only clients that are gone are buried',
  'check_registration: exists clients': 'only clients that are gone are buried',
  'sweep_clients: exists self_registrations': 'swept after a month without use, with all that refers to it',
  'sweep_clients: exists clients_in_use': 'swept after a month without use, with all that refers to it',
  'sweep_clients: exists grants': 'swept after a month without use, with all that refers to it',
  'revoke_subject: exists providers': 'a provider that is disabled at the same moment has asked before',
  'sweep_provider_sessions: exists authorization_codes': 'no code begins with a sign-in of two days ago',
  'sweep_provider_sessions: exists sessions': 'only a session that refers to it is renewed, and is there before',
  'sweep_grants: exists authorization_codes': 'no code begins with a grant that is over',
  'sweep_signing_keys: exists signing_keys': 'the newer key is there for a day',

  // registrations of operators, who can contradict each other in any order
  'check_registration: exists users': 'the key is looked up again as it is stored',
  'check_registration: exists self_registrations': 'a client registers itself only once, at its beginning',
  'check_client_security: exists choices': 'a client may name a choice that goes right after',
  'check_client_security: exists clients': 'a client that names a choice which is gone can ask for nothing by it',
  'copy_from_view: exists users': 'an operator makes somebody an administrator whose account the view keeps',
  'describe_group: exists scopes': 'a description of a group that is gone is shown nowhere',
  'delete_scope: exists scopes': 'a description of a group that is gone is shown nowhere',
  'register_claim: exists scopes': 'scopes and groups of one name',
  'register_choice: exists scopes':
    'a choice of a name that becomes a group is never asked for, and latchkey doctor says so',
  'define_choice: count current': 'the text of a function that reads',
  'newest_people: count grants': 'a function that reads',
  'register_scope: exists scopes': 'scopes and groups of one name',
  'register_user: min users': 'numbers of a plan, which is rolled back',
  'register_resource: exists clients': 'the foreign key',
  'delete_scope: exists clients_with_scope': 'a registration names a scope that is gone, which nobody can allow',
  'delete_scope: exists resources': 'a registration names a scope that is gone, which nobody can allow',
  'delete_scope: exists claims': 'a registration names a scope that is gone, which nobody can allow',
  'delete_scope: exists choices': 'a registration names a scope that is gone, which nobody can allow',
  'end_demo: exists clients_with_scope': 'a registration names a scope that is gone, which nobody can allow',
};

test('nothing is counted beside a write that another statement could change meanwhile', () => {
  const counts = [...writing, ...functions].flatMap(({ name, text }) =>
    countedIn(text)
      .filter((counted) => !isNoTable.test(counted))
      .filter((counted) => !isHeld(text, counted))
      .map((counted) => `${name}: ${counted}`),
  );
  assert.deepEqual(
    counts.filter((one) => !(one in allowed)),
    [],
    'lock these rows before they count, or say what else makes it right',
  );
  assert.deepEqual(
    Object.keys(allowed).filter((one) => !counts.includes(one)),
    [],
    'counted no more',
  );
});
