import type { admin as english } from '../en/admin.ts';

export const admin: Record<keyof typeof english, string> = {
  'home.admin': 'Administración',
  'admin.part.people': 'Personas',
  'admin.part.applications': 'Aplicaciones',
  'admin.part.grants': 'Permisos y tokens',
  'admin.part.events': 'Qué ha ocurrido',
  'admin.part.health': 'Si todo va bien',
};
