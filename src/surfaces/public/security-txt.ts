/** Whom to tell of a weakness (RFC 9116). The operator names the address; without one there is no such page. */
import type { FastifyInstance } from 'fastify';

const dayMs = 86_400_000;
/** A reader takes it for stale afterwards. It follows the day, so a service that runs is never stale (RFC 9116, 2.5.5). */
const validDays = 180;

export type SecurityContact = {
  /** Addresses that begin with mailto: or https:, the preferred one first. */
  contacts: readonly string[];
  public_url: () => string;
  now: () => Date;
};

/** The text, the same for a day. */
export function securityTxt({ contacts, public_url, now }: SecurityContact): string {
  const day = Math.floor(now().getTime() / dayMs);
  const canonical = public_url();
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date((day + validDays) * dayMs).toISOString().replace('.000', '')}`,
    'Preferred-Languages: es, en',
    // The field takes https alone (RFC 9116, 2.5.2).
    ...(canonical.startsWith('https:') ? [`Canonical: ${canonical}${path}`] : []),
    '',
  ].join('\n');
}

const path = '/.well-known/security.txt';

export function registerSecurityTxt(app: FastifyInstance, contact: SecurityContact): void {
  if (contact.contacts.length === 0) return;
  app.get(path, (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=3600')
      .header('Content-Type', 'text/plain; charset=utf-8')
      .send(securityTxt(contact)),
  );
}
