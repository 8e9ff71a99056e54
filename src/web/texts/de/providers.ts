import type { providers as english } from '../en/providers.ts';

export const providers: Record<keyof typeof english, string> = {
  'login.or': 'oder',
  'login.provider': 'Mit {provider} anmelden',

  'stopped.title': 'Sie sind nicht angemeldet',
  'stopped.sign_in_lost':
    'Diese Anmeldung wurde vor mehr als zehn Minuten oder in einem anderen Browser begonnen, oder sie ist schon abgeschlossen. Bitte beginnen Sie von vorn.',
  'stopped.cancelled': 'Sie haben sich nicht mit {provider} angemeldet. Es hat sich nichts geändert.',
  'stopped.provider_away':
    '{provider} antwortet im Moment nicht wie erwartet. Bitte versuchen Sie es in einer Minute erneut.',
  'stopped.provider_wrong':
    'Die Antwort von {provider} wurde nicht angenommen. Wenn das wieder geschieht, wenden Sie sich an den Betreiber dieses Servers und nennen Sie die Anfrage-ID.',
  'stopped.provider_gone': 'Die Anmeldung mit {provider} ist hier abgeschaltet.',
  'stopped.not_confirmed':
    'Die Anwendung möchte sicher sein, dass Sie sich gerade eben angemeldet haben, und {provider} hat das nicht bestätigt. Melden Sie sich dort erneut an oder wählen Sie einen anderen Weg.',
  'stopped.no_account':
    'Kein Konto hier ist mit Ihrem Konto bei {provider} verbunden. Wenn Sie hier ein Konto haben, melden Sie sich auf einem anderen Weg an; {provider} können Sie dann auf Ihrer Kontoseite verbinden.',
  'stopped.address_taken':
    'Ein Konto hier hat die E-Mail-Adresse, die {provider} angegeben hat. Wenn es Ihres ist, melden Sie sich auf einem anderen Weg an; {provider} können Sie dann auf Ihrer Kontoseite verbinden.',
  'stopped.foreign_domain': 'Mit {provider} erhalten hier nur Personen mit bestimmten E-Mail-Adressen ein Konto.',
  'stopped.account_disabled': 'Ihr Konto hier ist deaktiviert.',
  'stopped.identity_taken':
    'Ihr Konto bei {provider} ist hier schon mit einem anderen Konto verbunden, oder Sie haben zu viele Konten verbunden.',
  'stopped.connect_lost':
    'Es wurde nichts verbunden: Sie sind nicht mehr als die Person angemeldet, die damit begonnen hat, oder es hat länger als zehn Minuten gedauert.',
  'stopped.reference': 'Anfrage-ID: {id}',
  'stopped.back_to_sign_in': 'Anmelden',

  'account.identities': 'Anmeldung mit anderen Konten',
  'account.identities_text': 'Mit diesen Konten bei anderen Websites können Sie sich hier anmelden.',
  'account.identity_since': 'Verbunden am {date}',
  'account.identity_never_used': 'Nie verwendet',
  'account.identity_remove': 'Entfernen',
  'account.identity_connect': '{provider} verbinden',
  'account.identity_unknown': 'Eine Website, die hier nicht mehr angeboten wird',
  'connect.provider': '{provider} verbinden',
  'connect.text':
    'Sie gehen weiter zu {provider} und melden sich dort an. Von da an können Sie sich auch mit jenem Konto hier anmelden: Wer es benutzen kann, kann auch dieses benutzen.',
  'connect.go_on': 'Weiter zu {provider}',
  'connect.by_operator':
    'Sie sind Administrator. Deshalb kann nur der Betreiber dieses Servers Ihr Konto verbinden, mit der SQL-Funktion link_identity.',
  'connect.sign_in_again':
    'Melden Sie sich zuerst ab und wieder an: Ihre letzte Anmeldung ist länger als 15 Minuten her.',
  'notice.identity_linked': 'Verbunden. Sie können sich jetzt auch auf diesem Weg anmelden.',
  'notice.identity_unlinked': 'Entfernt. Sie können sich auf diesem Weg nicht mehr anmelden.',
  'problem.last_way_in':
    'Dies ist Ihr letzter Weg, sich anzumelden, deshalb bleibt er. Verbinden Sie zuerst ein anderes Konto.',
};
