import type { passkeys as english } from '../en/passkeys.ts';

export const passkeys: Record<keyof typeof english, string> = {
  'passkeys.sign_in': 'Mit einem Passkey anmelden',
  'passkeys.none_used':
    'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder melden Sie sich auf einem anderen Weg an.',
  'problem.passkey_refused':
    'Mit diesem Passkey konnten Sie nicht angemeldet werden. Versuchen Sie es erneut oder melden Sie sich auf einem anderen Weg an.',
  'passkeys.title': 'Passkeys',
  'passkeys.text':
    'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an, ohne Passwort. Er funktioniert nur auf dieser Website, deshalb kann ihn Ihnen keine andere entlocken.',
  'passkeys.none': 'Sie haben noch keinen Passkey.',
  'passkeys.since': 'Hinzugefügt am {date}',
  'passkeys.never_used': 'Nie verwendet',
  'passkeys.only_second': 'Nur zweiter Faktor',
  'passkeys.dead': 'Funktioniert nur auf {host}',
  'passkeys.change': 'Umbenennen oder entfernen',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.add_key': 'Sicherheitsschlüssel als zweiten Faktor hinzufügen',
  'passkeys.full':
    'Sie haben so viele Passkeys, wie eine Person hier haben kann. Entfernen Sie einen, um einen anderen hinzuzufügen.',
  'passkeys.elsewhere':
    'Ihr Konto kommt von anderswo, und dort melden Sie sich an. Deshalb gibt es hier keine Passkeys dafür.',
  'passkeys.new_text':
    'Ihr Browser fragt Sie, wo der Passkey aufbewahrt werden soll: auf diesem Gerät, in einem Passwortmanager, auf Ihrem Telefon oder auf einem Sicherheitsschlüssel.',
  'passkeys.new_key_text':
    'Für einen Sicherheitsschlüssel ohne PIN: Er kann Sie nicht allein anmelden, sondern nur nach Ihrem Passwort bestätigen, wer Sie sind.',
  'passkeys.name': 'Name',
  'passkeys.name_hint': 'An dem Sie ihn wiedererkennen, zum Beispiel das Gerät.',
  'passkeys.continue': 'Weiter',
  'passkeys.make': 'Erstellen',
  'passkeys.unavailable': 'Dies erfordert JavaScript und einen Browser, der Passkeys unterstützt.',
  'passkeys.none_made': 'Es wurde nichts erstellt. Sie können es erneut versuchen.',
  'passkeys.save': 'Umbenennen',
  'passkeys.remove': 'Entfernen',
  'passkeys.remove_text':
    'Sie können sich dann nicht mehr damit anmelden. Löschen Sie ihn auch auf Ihrem Gerät oder in Ihrem Passwortmanager: Dieser Server kann das nicht.',
  'problem.passkey_not_added':
    'Das konnte nicht hinzugefügt werden. Versuchen Sie es erneut oder mit einem anderen Gerät.',
  'problem.passkey_name_missing': 'Geben Sie einen Namen ein.',
  'problem.last_passkey':
    'Dies ist Ihr letzter Weg, sich anzumelden, oder Ihr einziger zweiter Faktor; deshalb bleibt er. Legen Sie zuerst ein Passwort fest, fügen Sie einen anderen Passkey hinzu oder schalten Sie die Anmeldung in zwei Schritten aus.',
  'problem.no_passkey':
    'Sie brauchen einen Passkey, mit dem Sie sich hier anmelden können, bevor Sie Ihr Passwort entfernen.',
  'notice.passkey_added': 'Hinzugefügt. Sie können ihn ab jetzt verwenden.',
  'notice.passkey_renamed': 'Umbenannt.',
  'notice.passkey_removed': 'Entfernt. Er funktioniert hier nicht mehr.',
  'notice.password_removed': 'Passwort entfernt. Ab jetzt melden Sie sich mit einem Passkey an.',
  'notice.password_set': 'Passwort festgelegt. Sie können sich ab jetzt damit anmelden.',
  'password.remove': 'Passwort entfernen',
  'password.remove_summary':
    'Sie haben einen Passkey und können deshalb auf ein Passwort verzichten: Was es nicht gibt, kann niemand stehlen.',
  'password.remove_text':
    'Danach melden Sie sich nur noch mit einem Passkey an. Wenn Sie alle Ihre Passkeys verlieren, kann Sie nur der Betreiber dieses Servers wieder hineinlassen.',
  'password.set': 'Passwort festlegen',
  'password.set_text': 'Sie können sich dann auch mit Ihrem Benutzernamen und diesem Passwort anmelden.',
  'password.none': 'Sie haben kein Passwort.',
};
