/** Who receives an e-mailed document. Settled before anything is written. */

import { invalidField, missingField, refuseIssues } from '../../kernel/resource-input.ts';
import { isEmailAddress, spellingOf } from '../email-address.ts';
import { asOpening, type DocumentNames } from './document-kinds.ts';

/** Each address appears once in the two lists. */
export type Recipients = { to: readonly string[]; cc: readonly string[] };

/** Documents go to `billing_emails`, else to `email`. */
type Client = { billing_emails: readonly string[] | null; email: string | null };

export function addressesOf(client: Client | null | undefined): readonly string[] {
  const billing = unique(client?.billing_emails ?? []);
  return billing.length > 0 ? billing : client?.email ? [client.email] : [];
}

function missingAddressMessage(client: Client | null | undefined, names: DocumentNames): string {
  return client
    ? 'El cliente no tiene dirección de correo: indique aquí a quién se envía, o póngasela al cliente.'
    : `${asOpening(names.the)} no tiene cliente: indique aquí a quién se envía.`;
}

/** As each is spelt first. @param known addresses to leave out */
function unique(addresses: readonly string[], known: readonly string[] = []): string[] {
  const seen = new Set(known.map(spellingOf));
  return addresses.filter((address) => {
    const key = spellingOf(address);
    return seen.has(key) ? false : seen.add(key);
  });
}

/**
 * For `options.send_automatically`.
 * @throws 422 missing_required_param without an address, parameter_invalid for a malformed one
 */
export function sendTo(
  asked: string | null | undefined,
  client: Client | null | undefined,
  names: DocumentNames,
): Recipients {
  const addresses = asked == null ? addressesOf(client) : [asked];
  if (addresses.length === 0)
    refuseIssues([missingField('options.send_to', missingAddressMessage(client, names))]);
  if (!addresses.every(isEmailAddress))
    refuseIssues([invalidField('options.send_to', 'No es una dirección de correo.')]);
  return { to: unique(addresses), cc: [] };
}

/**
 * For a call that sends the document.
 * @throws 422 missing_required_param without an address, parameter_invalid naming each malformed one
 */
export function recipientsOf(
  asked: { to?: readonly string[]; cc?: readonly string[] },
  client: Client | null | undefined,
  names: DocumentNames,
): Recipients {
  const { to = [], cc = [] } = asked;
  const issues = Object.entries({ to, cc }).flatMap(([name, addresses]) =>
    addresses.flatMap((address, i) =>
      isEmailAddress(address) ? [] : [invalidField(`${name}.${i}`, 'No es una dirección de correo.')],
    ),
  );
  refuseIssues(issues);
  const addresses = unique(to.length > 0 ? to : addressesOf(client));
  if (addresses.length === 0) refuseIssues([missingField('to', missingAddressMessage(client, names))]);
  return { to: addresses, cc: unique(cc, addresses) };
}
