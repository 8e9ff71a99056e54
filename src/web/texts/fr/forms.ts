import type { forms as english } from '../en/forms.ts';

export const forms: Record<keyof typeof english, string> = {
  'form.restored': 'Votre session était terminée. Voici ce que vous aviez saisi ; ce n’est pas encore enregistré.',
  'form.changed':
    'Ces données ont été modifiées après l’ouverture de votre page : rien n’a été enregistré. Votre saisie est toujours dans le formulaire ; tout le reste montre ce qui est enregistré maintenant. Si vous enregistrez de nouveau, le formulaire le remplace.',
  'form.yours': 'Dans votre formulaire',
  'form.now': 'Enregistré maintenant',
};
