import type { flow as english } from '../en/flow.ts';

export const flow: Record<keyof typeof english, string> = {
  'skip.content': 'Zum Inhalt springen',
  'nav.label': 'Ihr Konto',
  'language.choose': 'Sprache',
  'action.sign_in': 'Anmelden',
  'action.sign_out': 'Abmelden',
  'action.show_password': 'Anzeigen',
  'action.hide_password': 'Verbergen',
  'action.copy': 'Kopieren',
  'action.copied': 'Kopiert',
  'action.cancel': 'Abbrechen',
  'list.next': 'Mehr anzeigen',
  'list.first': 'Zurück zur ersten Seite',
  'back.home': 'Zur Startseite',
  'back.account': 'Zu Ihrem Konto',
  'back.applications': 'Zu Ihren verbundenen Anwendungen',

  'login.title': 'Anmelden',
  'login.client': 'Melden Sie sich an, um mit {client} ({domain}) fortzufahren.',
  'login.again': 'Sie sind bereits angemeldet, aber {client} ({domain}) verlangt, dass Sie sich erneut anmelden.',
  'login.choose': 'Wählen Sie das Konto, das Sie für {client} ({domain}) verwenden möchten.',
  'login.continue': 'Weiter als {name} ({username})',
  'login.other': 'Oder mit einem anderen Konto anmelden',
  'login.client_where': 'Ihr Passwort wird nicht an {client} weitergegeben.',
  'login.unknown':
    'Melden Sie sich an, um mit einer Anwendung fortzufahren, die sich „{client}“ nennt. Dieser Server hat sie nicht überprüft.',
  'login.username': 'Benutzername oder E-Mail-Adresse',
  'login.password': 'Passwort',

  'problem.wrong_credentials': 'Benutzername oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  'problem.form_expired': 'Dieses Formular war zu lange geöffnet und ist abgelaufen. Bitte senden Sie es erneut ab.',
  'problem.too_many_attempts': 'Zu viele Versuche. Versuchen Sie es in {wait} erneut.',
  'problem.too_busy':
    'Im Moment melden sich zu viele Benutzer an. Es wurde nichts geändert; bitte versuchen Sie es gleich noch einmal.',
  'problem.session_ended': 'Ihre Sitzung ist beendet. Melden Sie sich wieder an, um fortzufahren.',
  'problem.cookies_missing':
    'Ihr Browser hat das Cookie dieser Website nicht gesendet. Erlauben Sie Cookies für diese Website oder verlassen Sie den privaten Modus und versuchen Sie es erneut.',
  'problem.other_host':
    'Die Adresse dieses Servers ist {host}. Öffnen Sie ihn unter dieser Adresse, um sich anzumelden: Browser senden Cookies nicht von einer Adresse an eine andere.',
  'problem.cross_site':
    'Dieses Formular wurde von einer anderen Website abgesendet und nicht angenommen. Falls Sie es selbst abgesendet haben, senden Sie es hier erneut ab.',
  'problem.required_missing':
    'Eine erforderliche Berechtigung fehlte, deshalb wurde nichts geändert. Erlauben Sie alle erforderlichen Berechtigungen oder lehnen Sie ab.',
  'problem.changed_meanwhile':
    'Diese Berechtigungen wurden inzwischen geändert, deshalb wurde nichts gespeichert. So sind sie jetzt; speichern Sie erneut, wenn Sie sie ändern möchten.',
  'problem.nothing_chosen': 'Es war keine Berechtigung ausgewählt. Wählen Sie mindestens eine aus oder lehnen Sie ab.',

  'consent.title': '{client} den Zugriff auf Ihr Konto erlauben?',
  'consent.title_host': '{host} den Zugriff auf Ihr Konto erlauben?',
  'consent.title_app': 'Einer App auf diesem Gerät den Zugriff auf Ihr Konto erlauben?',
  'consent.from': 'Von {domain}, hier registriert am {date}.',
  'consent.calls_itself': 'Sie nennt sich „{client}“ und wurde hier am {date} registriert.',
  'consent.described': 'Die Website {domain} beschreibt sie als „{client}“.',
  'consent.unknown':
    'Dieser Server hat diese Anwendung nicht überprüft: Jeder kann eine Anwendung registrieren und ihr einen beliebigen Namen geben. Erlauben Sie den Zugriff nur, wenn Sie sie gerade selbst geöffnet haben und wissen, woher sie stammt.',
  'consent.changed':
    '{client} hat seit Ihrer letzten Zustimmung den eigenen Namen oder die Adressen der Weiterleitung geändert. Bitte entscheiden Sie erneut.',
  'consent.public':
    'Dieser Server kann nicht prüfen, ob dies wirklich {client} ist: Anwendungen dieser Art haben kein Client-Secret. Erlauben Sie den Zugriff nur, wenn Sie die Anwendung gerade selbst geöffnet haben.',
  'consent.one_more': '{client} bittet um eine weitere Berechtigung.',
  'consent.more': '{client} bittet um {count} weitere Berechtigungen.',
  'consent.asks': 'Angeforderte Berechtigungen',
  'consent.resources': 'Zur Verwendung bei:',
  'consent.untick': 'Entfernen Sie das Häkchen bei Berechtigungen, die Sie nicht erteilen möchten.',
  'consent.required': 'Erforderlich',
  'consent.before': 'Bereits erlaubt',
  'consent.new': 'Neu',
  'consent.changes': 'Kann ändern',
  'consent.reason': '{client} schreibt: „{reason}“',
  'consent.username': 'Ihr Benutzername',
  'consent.never': 'Die Anwendung sieht Ihr Passwort nie und kann nichts tun, was Sie hier nicht erlaubt haben.',
  'consent.published': 'Veröffentlicht von {domain}:',
  'consent.published_unchecked':
    '{client} verweist auf diese Seiten; dieser Server hat nicht überprüft, ob es ihre eigenen sind:',
  'consent.policy': 'Datenschutzerklärung',
  'consent.terms': 'Nutzungsbedingungen',
  'consent.duration': 'Dauer des Zugriffs',
  'consent.always': 'Bis auf Widerruf',
  'consent.30d': '30 Tage',
  'consent.once': 'Nur dieses eine Mal',
  'consent.revoke_any_time': 'Sie können den Zugriff jederzeit unter „Verbundene Anwendungen“ widerrufen.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'consent.return': 'In beiden Fällen gelangen Sie danach zurück zu {host}.',
  'consent.return_program': 'In beiden Fällen gelangen Sie danach zurück zu einem Programm auf diesem Gerät ({host}).',
  'consent.return_app': 'In beiden Fällen gelangen Sie danach zurück zur App auf diesem Gerät.',
  'consent.signed_in': 'Angemeldet als {name} ({username}).',
  'consent.switch': 'Anderes Konto verwenden',

  'group.user': 'Ihr Profil',
  'group.user:write': 'Änderungen an Ihrem Profil',
  'group.repo': 'Ihre Repositorys',
  'scope.user:name': 'Ihren Namen und Benutzernamen sehen',
  'scope.user:email': 'Ihre E-Mail-Adresse sehen',
  'scope.user:write': 'Ihren Namen und Ihre E-Mail-Adresse ändern',
  'scope.repo:read': 'Ihre Repositorys lesen',
  'scope.repo:write': 'Ihre Repositorys ändern',

  'form_post.title': 'Zurück zu {host}',
  'form_post.text':
    'Ihr Browser überbringt der Anwendung die Antwort. Wählen Sie „Weiter“, wenn es nicht von selbst weitergeht.',
  'form_post.sent':
    'Ihre Antwort wurde an die Anwendung gesendet. Wenn sie sich nicht öffnet, kehren Sie dorthin zurück und beginnen Sie von vorn.',
  'leaving.title': 'Weiter zu {host}?',
  'leaving.title_app': 'Weiter zur App auf diesem Gerät?',
  'leaving.text':
    'Die Anfrage einer Anwendung, die sich „{client}“ nennt, ist fehlgeschlagen. Wenn Sie fortfahren, kehren Sie mit einer Fehlermeldung zur Anwendung zurück. Es wurden keine Daten von Ihnen weitergegeben.',
  'leaving.unchecked':
    'Kein Administrator dieses Servers hat diese Anwendung als vertrauenswürdig bestätigt. Fahren Sie nur fort, wenn Sie sie kennen.',
  'leaving.continue': 'Weiter',
  'error.for_developers': 'Details für Entwickler',
  'error.code': 'Fehler',
  'error.description': 'Beschreibung',
  'error.reference': 'Anfrage-ID',
  'error.meaning_link': 'Was dieser Fehler bedeutet und wie man ihn behebt',
  'error.received': 'Empfangen',
  'error.registered': 'Registriert',
  'error.differs_in': 'Abweichung: {parts}',
  'error.mismatch': 'Die Redirect-URI stimmt mit keiner registrierten überein',
  'error.mismatch_text': 'Redirect-URIs werden Zeichen für Zeichen verglichen. Abweichungen sind hervorgehoben.',
  'error.none_registered': 'Es ist keine Redirect-URI registriert.',
  'part.scheme': 'Schema',
  'part.host': 'Host',
  'part.port': 'Port',
  'part.path': 'Pfad',
  'part.slash': 'Schrägstrich am Ende',
  'part.query': 'Query',
  'part.fragment': 'Fragment',

  'hint.not_redirected':
    'Sie wurden nicht weitergeleitet, weil die Adresse in der Anfrage möglicherweise nicht zur Anwendung gehört.',

  'home.title': 'Einmal anmelden. Selbst entscheiden, was jede Anwendung darf.',
  'home.text':
    'Melden Sie sich mit Ihrem Konto bei {brand} in Anwendungen an und wählen Sie für jede die Berechtigungen aus. Sie können sie jederzeit ändern oder widerrufen.',
  'home.playground': 'Playground',
  'home.playground_text': 'Den Ablauf mit Autorisierungscode Schritt für Schritt ausführen und jede Anfrage ansehen.',
  'home.account': 'Ihr Konto',
  'home.account_text': 'Name, E-Mail-Adresse, Passwort und Sitzungen.',
  'home.applications': 'Verbundene Anwendungen',
  'home.applications_text':
    'Sehen, welche Anwendungen Zugriff haben, ihre Berechtigungen ändern oder den Zugriff widerrufen.',
  'home.developer': 'Entwicklerkonsole',
  'home.developer_text': 'Anwendungen registrieren und herausfinden, warum Anfragen abgelehnt wurden.',
  'home.metadata': 'Metadaten des Servers',
  'home.metadata_text': 'Die Endpunkte und Funktionen dieses Servers als JSON.',
  'home.openapi': 'Beschreibung der API',
  'home.openapi_text': 'Alle Adressen für Anwendungen mit Parametern und Antworten, als OpenAPI.',

  'signed_out.title': 'Sie sind abgemeldet',
  'signed_out.text': 'Anwendungen behalten den Zugriff, den Sie ihnen erlaubt haben, bis Sie ihn widerrufen.',
  'message.account_deleted.title': 'Ihr Konto ist gelöscht',
  'message.account_deleted.text': 'Sie sind überall abgemeldet, und keine Anwendung hat mehr Zugriff.',
  'message.registration_off.title': 'Die Registrierung ist geschlossen',
  'message.registration_off.text':
    'Auf diesem Server können nur Administratoren Anwendungen registrieren. Bitte wenden Sie sich an sie.',
  'message.no_access.title': 'Diese Anwendung hat keinen Zugriff',
  'message.no_access.text':
    'Sie haben ihn nie erlaubt, er ist abgelaufen oder Sie haben ihn widerrufen. Wenn die Anwendung wieder Zugriff benötigt, fragt sie Sie.',
};
