/** Whom an invoice that is to be sent goes to (specification, section 4): checked before anything exists. */
import { isEmailAddress } from '../../../domain/email-address.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalid, refuseIssues } from '../../../kernel/resource-input.ts';

/** @throws 422 missing_required_param without an address, parameter_invalid for one that is none */
export function sendTo(asked: string | null | undefined, client_email: string | null): string {
  const address = asked ?? client_email;
  if (address === null) throw fail(c.missing_required_param, { param: 'options.send_to' });
  if (!isEmailAddress(address)) refuseIssues([invalid('options.send_to', 'No es una dirección de correo.')]);
  return address;
}
