import type { scopes as english } from '../en/scopes.ts';

export const scopes: Record<keyof typeof english, string> = {
  'admin.part.scopes': 'Scopes',
  'admin.part.resources': 'Ressourcen',
  'admin.no_scopes': 'Es gibt keine Scopes.',
  'admin.used_by': 'Verwendet von {names}.',
  'admin.not_used': 'Wird von niemandem verwendet.',
  'admin.from_seed': 'Aus dem Seed {seed}.',
  'admin.new_scope': 'Scope anlegen',
  'admin.scope_name': 'Name',
  'admin.scope_name_hint':
    'Unter ihm fordern Anwendungen ihn an. Ein Kleinbuchstabe, danach Kleinbuchstaben, Ziffern und : _ . -. Er lässt sich später nicht ändern.',
  'admin.sentence': 'Satz',
  'admin.sentence_hint':
    'Was die Leute lesen: was er einer Anwendung erlaubt. Andere Sprachen können Sie danach hinzufügen.',
  'admin.group': 'Gruppe',
  'admin.group_hint': 'Mit ihrem Namen kann eine Anwendung alle Scopes einer Gruppe anfordern.',
  'admin.scope_changes': 'Erlaubt Änderungen, nicht nur Lesen (wie jeder Name, der auf :write endet)',
  'admin.uses': 'Wer ihn verwendet',
  'admin.uses_text': 'Höchstens fünf Anwendungen, fünf Ressourcen und fünf Claims.',
  'admin.use.client': 'Anwendung',
  'admin.use.resource': 'Ressource',
  'admin.use.claim': 'Claim',
  'admin.sentences': 'Was die Leute lesen',
  'admin.sentences_text':
    'Geben Sie ihm nie eine weitere Bedeutung: Wer ihn schon erlaubt hat, wird nicht noch einmal gefragt. Ein leeres Feld ändert nichts.',
  'admin.sentence_others': 'Alle Sprachen ohne eigenen Satz',
  'admin.built_in': 'Gehört zu diesem Server, der den Satz dafür in allen Sprachen hat.',
  'admin.group_title': 'Die Gruppe {group}',
  'admin.group_text': 'Wie die Seiten die Scopes dieser Gruppe zusammen nennen. Ein leeres Feld ändert nichts.',
  'admin.delete_scope': 'Scope löschen',
  'admin.in_use_text':
    'Ein Scope, der verwendet wird, lässt sich nicht löschen: Nehmen Sie ihn zuerst allen, die ihn verwenden.',
  'admin.own_scope': 'Dieser Server verwendet ihn selbst für die Profile der Personen: Er lässt sich nicht löschen.',
  'admin.ask.delete_scope':
    'Anwendungen können {name} nicht mehr anfordern. Ein neuer Scope gleichen Namens gilt als erlaubt bei allen, die diesen erlaubt haben.',
  'admin.ask.delete_built_in':
    'Anwendungen können {name} nicht mehr anfordern. Er gehört zu diesem Server: Weder diese Seite noch ein Befehl kann ihn wieder anlegen.',
  'admin.resources_text': 'Andere Server, die Token von diesem annehmen.',
  'admin.no_resources': 'Es ist keine Ressource registriert.',
  'admin.new_resource': 'Ressource registrieren',
  'admin.resource_address': 'URL',
  'admin.resource_hint':
    'Sie beginnt mit https:// und enthält weder Benutzernamen noch Fragment (#…). Anwendungen nennen sie in resource, Token in aud.',
  'admin.resource_scopes_hint': 'Die sie kennt, oder deren Gruppen, durch Leerzeichen getrennt.',
  'admin.resource_client': 'Client-ID ihres Servers',
  'admin.resource_client_hint': 'Dieser Client darf bei /introspect nach Token für die Ressource fragen.',
  'admin.no_resource_client': 'keine',
  'admin.format': 'Access-Token',
  'admin.format.opaque': 'Opak: Ihr Server fragt hier nach jedem einzelnen',
  'admin.format.jwt': 'JWT: Ihr Server prüft die Signatur selbst',
  'admin.resource_off': 'Deaktiviert',
  'admin.resource_disabled':
    'Ein Seed nennt sie nicht mehr. Es gibt keine Token für sie, als wäre sie nicht registriert.',
  'admin.delete_resource': 'Ressource löschen',
  'admin.ask.delete_resource':
    'Alle Token für {resource} werden ungültig, und Anwendungen bekommen keine neuen. Ein Server, der JWTs selbst prüft, nimmt sie noch an, bis sie ablaufen: höchstens zehn Minuten.',
  'problem.scope_in_use':
    'Es wurde nichts gelöscht: Der Scope wird verwendet. Nehmen Sie ihn zuerst allen, die ihn verwenden.',
  'problem.changed_since':
    'Es wurde nichts gelöscht: Seit Sie die Seite geöffnet haben, hat jemand etwas geändert. So ist der jetzige Stand.',
  'problem.sentence_malformed': 'Es wurde nichts gespeichert: Ein Satz hat höchstens 200 Zeichen in einer Zeile.',
  'field_problem.malformed_name':
    'Ein Name ist ein Kleinbuchstabe mit höchstens 63 Kleinbuchstaben, Ziffern und : _ . - dahinter: {value}',
  'field_problem.built_in': 'Dieser Scope gehört zum Server: {value}',
  'field_problem.is_group': 'So heißt schon eine Gruppe; Anfragen meinen mit dem Namen alle ihre Scopes: {value}',
  'field_problem.is_scope': 'So heißt schon ein Scope, also kann keine Gruppe so heißen: {value}',
  'field_problem.malformed_sentence': 'Ein Satz hat höchstens 200 Zeichen in einer Zeile.',
  'field_problem.not_a_resource':
    'Das ist keine URL der Form https://host/pfad mit kleingeschriebenem Host, ohne Benutzernamen und Fragment: {value}',
  'field_problem.unknown_scope': 'Diesen Scope gibt es nicht: {value}',
  'field_problem.unknown_client': 'Es gibt keine Anwendung mit dieser Client-ID: {value}',
  'field_problem.exists': 'Schon registriert: {value}',
};
