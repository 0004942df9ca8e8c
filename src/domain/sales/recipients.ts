/** Whom a document that is to be sent goes to. It is settled before anything is written. */
import { isEmailAddress } from '../email-address.ts';
import { invalid, missing, refuseIssues } from '../../kernel/resource-input.ts';
import { asOpening, type DocumentNames } from './document-kinds.ts';

/** Nobody twice. */
export type Recipients = { to: readonly string[]; cc: readonly string[] };

/** A client's addresses for documents: its billing addresses, else its own. */
type Client = { billing_emails: readonly string[] | null; email: string | null };

/** Where a client is written to when nobody says where; none where it has no address. */
export function addressesOf(client: Client | null | undefined): readonly string[] {
  const billing = unique(client?.billing_emails ?? []);
  return billing.length > 0 ? billing : client?.email ? [client.email] : [];
}

/** Why nobody is known to send it to, and what to do. */
function nobodyIn(client: Client | null | undefined, names: DocumentNames): string {
  return client
    ? 'El cliente no tiene dirección de correo: indique aquí a quién se envía, o póngasela al cliente.'
    : `${asOpening(names.the)} no tiene cliente: indique aquí a quién se envía.`;
}

/** Each address once, whatever its letters' case. @param known those that are in it already */
function unique(addresses: readonly string[], known: readonly string[] = []): string[] {
  const seen = new Set(known.map((address) => address.toLowerCase()));
  return addresses.filter((address) => {
    const key = address.toLowerCase();
    return seen.has(key) ? false : seen.add(key);
  });
}

/**
 * Of `options.send_automatically`.
 * @throws 422 missing_required_param without an address, parameter_invalid for one that is none
 */
export function sendTo(
  asked: string | null | undefined,
  client: Client | null | undefined,
  names: DocumentNames,
): Recipients {
  const addresses = asked == null ? addressesOf(client) : [asked];
  if (addresses.length === 0) refuseIssues([missing('options.send_to', nobodyIn(client, names))]);
  if (!addresses.every(isEmailAddress))
    refuseIssues([invalid('options.send_to', 'No es una dirección de correo.')]);
  return { to: unique(addresses), cc: [] };
}

/**
 * Of a call that sends it.
 * @throws 422 missing_required_param without an address, parameter_invalid that names each that is none
 */
export function recipientsOf(
  asked: { to?: readonly string[]; cc?: readonly string[] },
  client: Client | null | undefined,
  names: DocumentNames,
): Recipients {
  const { to = [], cc = [] } = asked;
  const issues = Object.entries({ to, cc }).flatMap(([name, addresses]) =>
    addresses.flatMap((address, i) =>
      isEmailAddress(address) ? [] : [invalid(`${name}.${i}`, 'No es una dirección de correo.')],
    ),
  );
  refuseIssues(issues);
  const addresses = unique(to.length > 0 ? to : addressesOf(client));
  if (addresses.length === 0) refuseIssues([missing('to', nobodyIn(client, names))]);
  return { to: addresses, cc: unique(cc, addresses) };
}
