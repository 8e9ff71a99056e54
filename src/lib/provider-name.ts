/** Whether a provider can have this name; migrations/functions/register_provider.sql has the same rule. */
export const isProviderName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-z0-9][a-z0-9-]{0,31}$/.test(name);
