/** About a form that is shown once more: what was changed meanwhile, or what a person gets back after a sign-in. */
export const forms = {
  'form.restored': 'Your session had ended. This is what you had entered; it has not been saved yet.',
  'form.changed':
    'This was changed after you had opened the page, so nothing was saved. What you entered is still in the form; everything else shows what is saved now. If you save again, the form replaces it.',
  'form.yours': 'In your form',
  'form.now': 'Saved now',
} as const;
