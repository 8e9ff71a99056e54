/** The pages for administrators. */
export const admin = {
  'home.admin': 'Administration',
  'admin.part.people': 'People',
  'admin.part.applications': 'Applications',
  'admin.part.grants': 'Grants and tokens',
  'admin.part.events': 'What happened',
  'admin.part.health': 'Whether all is well',
} as const;
