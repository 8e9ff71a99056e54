import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  'login.forgot': 'Passwort vergessen?',
  'login.forgot_ask': 'Wenn Sie Ihr Passwort vergessen haben, fragen Sie den Betreiber dieses Servers.',
  'login.support': 'Hilfe erhalten',
  'forgot.title': 'Passwort vergessen',
  'forgot.text':
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Sie erhalten eine E-Mail mit einem Link, über den Sie ein neues Passwort festlegen.',
  'forgot.send': 'Link senden',
  'forgot.sent_title': 'Sehen Sie in Ihr Postfach',
  'forgot.sent':
    'Wenn es ein Konto mit diesem Namen und einer bestätigten E-Mail-Adresse gibt, ist eine E-Mail dorthin unterwegs. Ihr Link gilt eine Stunde. Wenn in den nächsten Minuten nichts ankommt, sehen Sie im Spam-Ordner nach.',
  'reset.title': 'Neues Passwort festlegen',
  'reset.account': 'Für das Konto {username}.',
  'reset.text': 'Alle Sitzungen dieses Kontos werden beendet. Melden Sie sich danach mit dem neuen Passwort an.',
  'reset.save': 'Neues Passwort speichern',
  'message.link_over.title': 'Dieser Link gilt nicht mehr',
  'message.link_over.text':
    'Er wurde schon benutzt, ist zu alt, wurde durch einen neueren ersetzt, oder Ihr Konto hat sich seitdem geändert. Fordern Sie einen neuen an.',
  'message.password_reset.title': 'Ihr neues Passwort ist festgelegt',
  'message.password_reset.text':
    'Alle Sitzungen Ihres Kontos wurden beendet. Melden Sie sich mit dem neuen Passwort an.',
  'back.sign_in': 'Anmelden',
  'back.new_link': 'Neuen Link anfordern',
  'mail.footer': 'Gesendet von {brand} ({host}). Antworten auf diese E-Mail liest niemand.',
  'mail.set_password': 'Neues Passwort festlegen',
  'mail.reset.subject': 'Ein neues Passwort für {brand}',
  'mail.reset.text':
    'Jemand, wahrscheinlich Sie, hat ein neues Passwort für Ihr Konto {username} angefordert.\nDer folgende Link gilt eine Stunde und nur einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  'mail.no_password.subject': 'Ihr Konto bei {brand} hat kein Passwort',
  'mail.no_password.text':
    'Jemand, wahrscheinlich Sie, hat ein neues Passwort für Ihr Konto {username} angefordert.\nEs hat kein Passwort, darum gibt es keines zu ersetzen: Melden Sie sich so an, wie Sie es sonst tun. Wenn Sie es nicht waren, tun Sie nichts.',
  'mail.test.subject': 'E-Mails von {brand} kommen an',
  'mail.test.text':
    'Ein Betreiber von {host} hat diese E-Mail gesendet, um zu sehen, ob E-Mails ankommen. Sie müssen nichts tun.',
};
