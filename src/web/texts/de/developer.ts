import type { developer as english } from '../en/developer.ts';

export const developer: Record<keyof typeof english, string> = {
  'developer.title': 'Ihre Anwendungen',
  'developer.none': 'Sie haben noch keine Anwendung registriert.',
  'developer.new': 'Anwendung registrieren',
  'developer.confidential': 'Vertraulich',
  'developer.public': 'Öffentlich',
  'developer.disabled': 'Deaktiviert',
  'developer.refusals': 'Letzte Ablehnungen',
  'developer.refusals_text':
    'Anfragen, die in den letzten sieben Tagen abgelehnt wurden, mit dem genauen Grund, den die Antwort nicht enthält. Ein Hinweis („note“) sagt, was in einer Anfrage ignoriert wurde.',
  'developer.refusals_times': 'mindestens {count}-mal in dieser Stunde',
  'developer.no_refusals': 'Keine.',
  'developer.refusals_reference': 'Anfrage-ID (X-Request-Id)',
  'developer.refusals_find': 'Suchen',
  'developer.refusal_not_found':
    'Zu dieser Anfrage-ID ist keine Ablehnung aufbewahrt. Je Anwendung werden in einer Minute höchstens 20 aus einem Netz und 40 insgesamt aufbewahrt, weniger, wenn viele Anwendungen betroffen sind; davon die neuesten 300 sieben Tage lang. Im Log des Servers stehen alle.',

  'register.title': 'Anwendung registrieren',
  'register.name': 'Name',
  'register.name_hint': 'Benutzer sehen ihn, wenn sie um Berechtigungen gebeten werden.',
  'register.domain': 'Domain der Website',
  'register.domain_hint':
    'Benutzer sehen auch sie. Alle Redirect-URIs müssen auf diesem Host oder einer Subdomain liegen.',
  'register.homepage': 'Startseite',
  'register.logo': 'Logo',
  'register.logo_hint': 'Die https-URL eines quadratischen Bildes auf der Website.',
  'register.redirects': 'Redirect-URIs',
  'register.redirects_hint':
    'Eine pro Zeile, Vergleich Zeichen für Zeichen. Keine Platzhalter, kein Fragment. Sie beginnen mit https; http ist nur für die Website localhost, zum Ausprobieren auf Ihrem Rechner. Bei einer öffentlichen Anwendung auch ein privates Schema, etwa com.example.app:/callback für die Website example.com, und http auf localhost.',
  'register.kind': 'Typ',
  'register.is_confidential': 'Vertraulich: läuft auf einem Server und kann ein Client-Secret geheim halten.',
  'register.is_public':
    'Öffentlich: läuft im Browser, auf einem Smartphone oder Desktop. Sie hat kein Client-Secret und verwendet PKCE.',
  'register.optional_field': 'optional',
  'register.presets': 'Beginnen mit',
  'register.preset.web':
    'Läuft auf Ihrem Server: Sie hat ein Client-Secret, verwendet PKCE, erhält die Antwort über https und bleibt durch Refresh-Token angemeldet.',
  'register.preset.spa':
    'Läuft im Browser: Sie hat kein Secret, ist durch PKCE geschützt und erhält die Antwort über https und bei jeder Verwendung ein neues Refresh-Token.',
  'register.preset.native':
    'Läuft auf einem Smartphone oder Desktop: Sie hat kein Secret, ist durch PKCE geschützt und erhält die Antwort unter Ihrer umgekehrten Domain oder auf diesem Gerät.',
  'register.preset.api':
    'Prüft die Token, die andere ihr senden, indem sie mit ihrem Client-Secret diesen Server fragt. Sie meldet niemanden an, braucht aber trotzdem eine Redirect-URI. Ihre Ressource und ihre Scopes tragen die Betreiber dieses Servers ein.',
  'register.preset.mcp':
    'Läuft beim Benutzer: Er hat kein Secret, ist durch PKCE geschützt und erhält die Antwort an einem beliebigen Port dieses Geräts.',
  'register.tokens': 'Wenn das Access-Token abgelaufen ist',
  'register.refreshes': 'Refresh-Token: Sie bleibt angemeldet, bis der Benutzer das beendet.',
  'register.refreshes_not': 'Keine Refresh-Token: Sie schickt den Benutzer noch einmal hierher.',
  'register.example': 'Zum Beispiel: {uris}',
  'register.permissions': 'Berechtigungen',
  'register.permissions_text':
    'Fordern Sie nur an, was Sie benötigen. Benutzer können jede optionale Berechtigung einzeln ablehnen.',
  'register.no': 'Nicht angefordert',
  'register.optional': 'Optional',
  'register.required': 'Erforderlich',
  'register.reason': 'Begründung',
  'register.reason_hint': 'Ein Satz: wozu die Anwendung sie benötigt oder was ohne sie nicht funktioniert.',
  'register.submit': 'Registrieren',
  'register.save': 'Änderungen speichern',

  'field_problem.missing': 'Dieses Feld ist erforderlich.',
  'field_problem.none_chosen': 'Wählen Sie mindestens eine aus.',
  'field_problem.too_long': 'Das ist zu lang.',
  'field_problem.too_many': 'Das sind zu viele Einträge. Möglich sind höchstens 50.',
  'field_problem.not_a_domain': 'Das ist kein Domainname. Beispiel: printer.example.',
  'field_problem.host_too_long': 'Ein Hostname hat höchstens 253 Zeichen und zwischen zwei Punkten höchstens 63.',
  'field_problem.public_suffix':
    'Unter dieser Domain kann jeder einen Namen haben. Geben Sie Ihren eigenen Namen darunter an.',
  'field_problem.not_https': 'Die URL muss mit https:// beginnen: {value}',
  'field_problem.not_https_redirect':
    'Die URI muss mit https:// beginnen. Eine vertrauliche Anwendung kann http nur benutzen, wenn ihre Website localhost ist, zum Ausprobieren auf Ihrem Rechner: {value}',
  'field_problem.outside_domain': 'Die URI liegt außerhalb der Domain der Website: {value}',
  'field_problem.not_reversed_domain':
    'Das Schema muss mit der umgekehrten Domain der Website beginnen, zum Beispiel com.example für example.com: {value}',
  'field_problem.has_fragment': 'Ein Fragment (#…) ist nicht erlaubt: {value}',
  'field_problem.has_wildcard': 'Platzhalter sind nicht erlaubt: {value}',
  'field_problem.not_a_uri':
    'Das hat weder die Form https://host/path noch die eines privaten Schemas, das einen Punkt hat, weil es Ihre umgekehrte Domain ist, etwa com.example.app:/callback: {value}',
  'field_problem.refused': 'Dieser Wert wurde nicht angenommen: {value}',

  'developer.connect': 'Anbinden: Endpunkte und fertige Programme',
  'connect.title': 'Ihre Anwendung anbinden',
  'connect.next': 'Nächste Schritte',
  'connect.try': 'Ausprobieren',
  'connect.try_text':
    'Sie sehen, was Ihre Benutzer sehen werden. Den Code, den Ihre Anwendung erhält, kann niemand einlösen.',
  'connect.programs': 'Fertige Programme',
  'connect.secret':
    'Setzen Sie die Umgebungsvariable CLIENT_SECRET auf das Client-Secret. Alles andere ist ausgefüllt.',
  'connect.complete': 'Alles ist ausgefüllt.',
  'connect.placeholder':
    'Ein Wert lässt sich in dieser Programmiersprache nicht sicher schreiben. Ersetzen Sie {placeholder} selbst.',
  'connect.needs_secret': 'Dafür ist ein Client-Secret nötig, das eine öffentliche Anwendung nicht hat.',
  'connect.needs_public':
    'Dieses Programm läuft im Browser, wo kein Secret geheim bleibt. Registrieren Sie dafür eine öffentliche Anwendung.',
  'connect.demands_more':
    'Die Registrierung dieser Anwendung verlangt mehr, als dieses Programm kann, etwa einen Schlüssel oder eine vorab übermittelte Anfrage.',
  'connect.unregistered': '{library} braucht eine andere Redirect-URI. Registrieren Sie zuerst diese:',

  'developer.settings': 'Registrierung',
  'developer.client_id': 'Client-ID',
  'developer.deep_link': 'Link für Ihre Benutzer',
  'developer.deep_link_text':
    'Auf dieser Seite sehen und ändern Benutzer die Berechtigungen, die sie Ihrer Anwendung erteilt haben. Verlinken Sie sie auf Ihrer Website.',
  'developer.secrets': 'Client-Secrets',
  'developer.secrets_text':
    'Zwei können gleichzeitig gültig sein: Fügen Sie ein neues hinzu, stellen Sie Ihre Server um und löschen Sie dann das alte.',
  'developer.secret_created': 'Erstellt am {date}',
  'developer.secret_unused': 'noch nie verwendet',
  'developer.secret_use_unseen': 'Noch keine Verwendung gesehen',
  'developer.deleting': 'Das Secret {secret} löschen?',
  'developer.deleting_text':
    'Dieses Secret ist in Gebrauch: Am {when} hat sich eine Anwendung damit ausgewiesen. Ist es gelöscht, wird jedes Programm, das es noch sendet, sofort abgewiesen, und niemand kann sich dort anmelden.',
  'developer.deleting_first':
    'Stellen Sie zuerst alle Server auf das andere Secret um. Kommt hier keine neuere Verwendung mehr hinzu, können Sie es löschen.',
  'developer.delete_anyway': 'Trotzdem löschen',
  'developer.keys': 'Öffentliche Schlüssel',
  'developer.keys_text': 'Diese Anwendung weist statt eines Secrets einen Schlüssel nach.',
  'developer.add_secret': 'Client-Secret hinzufügen',
  'developer.delete_secret': 'Löschen',
  'developer.vouching': 'Vertrauen',
  'developer.origin_seed': 'Aus dem Seed {seed}. Der nächste Lauf stellt seine Werte wieder her.',
  'developer.origin_drift': 'Seit dem letzten Lauf geändert: {members}.',
  'developer.origin_console': 'In der Entwicklerkonsole registriert.',
  'developer.origin_command': 'Durch einen Befehl registriert.',
  'developer.origin_application': 'Hat sich selbst registriert.',
  'developer.origin_document': 'Aus dem Metadatendokument, das sie veröffentlicht.',
  'developer.unvouched': 'Nicht bestätigt',
  'developer.vouched_text':
    'Ein Administrator hat diese Anwendung als vertrauenswürdig bestätigt: Bei einem Fehler werden Benutzer direkt zu ihr weitergeleitet.',
  'developer.unvouched_text':
    'Noch hat kein Administrator diese Anwendung als vertrauenswürdig bestätigt. Bei einem Fehler sehen Benutzer eine Seite dieses Servers, bevor sie weitergeleitet werden; die Zustimmungsseite nennt den Host der Redirect-URI und zitiert den Namen; Skripte der Website können Antworten dieses Servers nur lesen, wenn ein Administrator eine andere Anwendung dieser Website bestätigt hat. Alle Ports von localhost gelten als eine Website.',
  'developer.vouch': 'Als vertrauenswürdig bestätigen',
  'developer.unvouch': 'Bestätigung zurückziehen',
  'developer.danger': 'Deaktivieren oder löschen',
  'developer.disable': 'Deaktivieren',
  'developer.disable_text': 'Alle Token der Anwendung werden sofort ungültig. Sie können sie wieder aktivieren.',
  'developer.enable': 'Aktivieren',
  'developer.enable_text':
    'Wenn Sie sie aktivieren, können Benutzer sie wieder verwenden, ohne ihr den Zugriff erneut zu erlauben.',
  'developer.blocked_text':
    'Ein Administrator hat diese Anwendung deaktiviert. Deshalb kann nur ein Administrator sie wieder aktivieren.',
  'developer.block': 'Sperren',
  'developer.block_text':
    'Der Besitzer hat diese Anwendung deaktiviert und kann sie wieder aktivieren. Wenn Sie sie sperren, kann sie nur noch ein Administrator aktivieren.',
  'developer.delete': 'Endgültig löschen',
  'developer.delete_text':
    'Löscht die Anwendung und alle Berechtigungen, die Benutzer ihr erteilt haben. Das lässt sich nicht rückgängig machen.',
  'developer.confirm': 'Geben Sie zur Bestätigung den Namen der Anwendung ein: {name}',
  'secret.title': 'Ihr neues Client-Secret',
  'secret.text':
    'Es wird nur einmal angezeigt: Dieser Server speichert nur seinen Hashwert. Kopieren Sie es dorthin, wo Ihr Server seine Secrets aufbewahrt.',
  'secret.done': 'Ich habe es gespeichert',
  'notice.application_registered': 'Anwendung registriert.',
  'notice.application_saved': 'Änderungen gespeichert. Sie gelten ab sofort.',
  'notice.application_disabled': 'Anwendung deaktiviert. Ihre Token sind ungültig.',
  'notice.application_enabled': 'Anwendung aktiviert.',
  'notice.application_vouched': 'Sie haben die Anwendung als vertrauenswürdig bestätigt.',
  'notice.application_unvouched': 'Sie haben die Bestätigung der Anwendung zurückgezogen.',
  'notice.secret_deleted': 'Client-Secret gelöscht.',
  'notice.application_deleted': 'Anwendung gelöscht.',
  'problem.two_secrets': 'Die Anwendung hat bereits zwei Client-Secrets. Löschen Sie zuerst eines.',
  'problem.wrong_name': 'Das ist nicht der Name der Anwendung, deshalb wurde nichts gelöscht.',

  'token_history.title': 'Warum ist dieser Code oder dieses Token ungültig geworden?',
  'token_history.text':
    'Fügen Sie einen Autorisierungscode, ein Access-Token oder ein Refresh-Token dieser Anwendung ein, um seinen Verlauf zu sehen.',
  'token_history.token': 'Code oder Token',
  'token_history.submit': 'Verlauf anzeigen',
  'token_history.unknown':
    'Diese Anwendung hat keinen solchen Code und kein solches Token. Möglicherweise gehört es zu einer anderen Anwendung oder ist älter als die Aufzeichnungen.',
  'token_history.malformed':
    'Das ist kein Code oder Token dieses Servers: Format oder Prüfsumme ist falsch. Möglicherweise wurde beim Kopieren etwas abgeschnitten.',
  'token_history.client_secret':
    'Das ist ein Client-Secret, kein Code und kein Token. Wenn jemand anderes es gesehen hat, ersetzen Sie es in der Entwicklerkonsole bei seiner Anwendung.',
  'token_history.authorization_code': 'Autorisierungscode',
  'token_history.access_token': 'Access-Token',
  'token_history.refresh_token': 'Refresh-Token',
  'token_history.alive': 'Gültig.',
  'token_history.ends': 'Läuft ab am {date}.',
  'token_history.dead': 'Nicht mehr gültig.',
  'event.issued': 'Ausgestellt',
  'event.code_redeemed': 'Autorisierungscode eingelöst',
  'event.refreshed': 'Erneuert',
  'event.replaced': 'Durch ein neues Refresh-Token ersetzt',
  'event.reused':
    'Erneut verwendet, obwohl das neue schon in Gebrauch war, vielleicht von jemand anderem: Alle zugehörigen Token wurden widerrufen',
  'event.family_reused':
    'Ein Refresh-Token desselben Codes wurde erneut verwendet, obwohl das neue schon in Gebrauch war, vielleicht von jemand anderem: Alle zugehörigen Token wurden widerrufen',
  'event.code_replayed':
    'Autorisierungscode ein zweites Mal eingelöst: Alle dafür ausgestellten Token wurden widerrufen',
  'event.verifier_wrong':
    'Mit falschem code_verifier eingelöst: Der Code wurde widerrufen, damit niemand zweimal raten kann',
  'event.leaked': 'Als öffentlich bekannt gemeldet: Alle zugehörigen Token wurden widerrufen',
  'event.revoked': 'Widerrufen, mit allen Token derselben Autorisierung',
  'event.revoked_by_user': 'Vom Benutzer widerrufen',
  'event.revoked_by_operator': 'Vom Betreiber dieses Servers widerrufen',
  'event.revoked_by_client': 'Von der Anwendung widerrufen',
  'event.client_disabled': 'Anwendung deaktiviert',
  'event.user_disabled': 'Benutzer deaktiviert',
  'event.permission_removed': 'Der Benutzer hat eine Berechtigung entzogen',
  'event.scope_unregistered': 'Eine Berechtigung wurde aus der Registrierung der Anwendung entfernt',
  'event.expired': 'Abgelaufen',
  'event.alive': 'Noch gültig',
  'console.parts': 'Bereiche der Anwendung',
  'console.overview': 'Überblick',
  'console.credentials': 'Zugangsdaten',
  'console.registration': 'Registrierung',
  'console.connect': 'Anbinden',
  'console.security': 'Sicherheit',
  'console.activity': 'Aktivität',
  'console.redirects_none': 'Keine: Fügen Sie eine hinzu, sonst kommt niemand zurück.',
  'console.delete_secret_warning': 'Ein Programm, das ein gelöschtes Secret noch verwendet, wird sofort abgewiesen.',
};
