/**
 * The mail server of a sandbox: it writes to nobody, and these recipients decide what becomes of the message
 * (docs/sandbox-magic-values.md). The domain belongs to no one (RFC 2606, section 3).
 */
import { spellingOf } from '../../../domain/email-address.ts';
import type { EmailRow } from '../emails.rows.ts';
import type { MailOutcome, UnservedRecipient } from '../ports.ts';

export const magicAddresses = {
  accepted: 'accepted@sandbox.example',
  refused: 'refused@sandbox.example',
  deferred: 'deferred@sandbox.example',
  bounced: 'bounced@sandbox.example',
} as const;

type Fate = keyof typeof magicAddresses;

export const sandboxSender = 'folio@sandbox.example';

type Addressed = Pick<EmailRow, 'to' | 'cc'>;

function fateOf(address: string): Fate | undefined {
  const spelt = spellingOf(address);
  return (Object.keys(magicAddresses) as Fate[]).find((fate) => magicAddresses[fate] === spelt);
}

export function asksForFate({ to, cc }: Addressed): boolean {
  return [...to, ...cc].some((address) => fateOf(address) !== undefined);
}

const answers = {
  refused: '550 5.1.1 El buzón no existe (dirección de pruebas).',
  deferred: '451 4.3.0 Inténtelo más tarde (dirección de pruebas).',
  bounced: '5.2.2 El buzón está lleno (dirección de pruebas).',
} as const;

/** Addresses without magic are accepted beside those that have it. */
export function simulateAttempt(waiting: readonly string[]): MailOutcome {
  const of = (fate: 'refused' | 'deferred'): UnservedRecipient[] =>
    waiting
      .filter((address) => fateOf(address) === fate)
      .map((address) => ({ address, answer: answers[fate] }));
  const [refused, deferred] = [of('refused'), of('deferred')];
  const unserved = new Set([...refused, ...deferred].map(({ address }) => address));
  const accepted = waiting.filter((address) => !unserved.has(address));
  const [first] = [...refused, ...deferred];
  const answer = accepted.length > 0 || !first ? '250 2.0.0 Aceptado (entorno de pruebas).' : first.answer;
  return { accepted, refused, deferred, answer, fault: null };
}

/** What comes back once the message was accepted for them. */
export function simulateBounces(accepted: readonly string[]): UnservedRecipient[] {
  return accepted
    .filter((address) => fateOf(address) === 'bounced')
    .map((address) => ({ address, answer: answers.bounced }));
}
