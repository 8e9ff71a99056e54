import type { forms as english } from '../en/forms.ts';

export const forms: Record<keyof typeof english, string> = {
  'form.restored': 'Ihre Sitzung war beendet. Hier ist, was Sie eingegeben hatten; es ist noch nicht gespeichert.',
  'form.changed':
    'Das wurde geändert, nachdem Sie die Seite geöffnet hatten; deshalb wurde nichts gespeichert. Ihre Eingaben stehen noch im Formular, alles andere zeigt den jetzigen Stand. Wenn Sie erneut speichern, ersetzt das Formular ihn.',
  'form.yours': 'In Ihrem Formular',
  'form.now': 'Jetzt gespeichert',
};
