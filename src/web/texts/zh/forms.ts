import type { forms as english } from '../en/forms.ts';

export const forms: Record<keyof typeof english, string> = {
  'form.restored': '您的会话此前已结束。这是您之前输入的内容，尚未保存。',
  'form.changed':
    '在您打开页面之后，这些内容已被更改，因此未保存任何内容。您输入的内容仍在表单中，其余部分显示当前已保存的内容。如果再次保存，表单将取代它们。',
  'form.yours': '您的表单',
  'form.now': '当前已保存',
};
