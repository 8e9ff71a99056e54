/** Returns names under which somebody could speak for this server. */
export function ownNames({ brand, issuer }: { brand: { name: string }; issuer: string }): string[] {
  const { hostname } = new URL(issuer);
  return [brand.name, hostname, ...hostname.split('.')];
}
