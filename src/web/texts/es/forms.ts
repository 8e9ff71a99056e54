import type { forms as english } from '../en/forms.ts';

export const forms: Record<keyof typeof english, string> = {
  'form.restored': 'Su sesión había terminado. Esto es lo que había escrito; todavía no se ha guardado.',
  'form.changed':
    'Esto se cambió después de que abriera la página, así que no se guardó nada. Lo que escribió sigue en el formulario; todo lo demás muestra lo que está guardado ahora. Si guarda de nuevo, el formulario lo sustituye.',
  'form.yours': 'En su formulario',
  'form.now': 'Guardado ahora',
};
