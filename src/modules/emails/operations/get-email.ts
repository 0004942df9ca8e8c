import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Email, present } from '../emails.schema.ts';
import { findEmail } from '../emails.store.ts';

export const getEmail = defineOperation({
  name: 'get_email',
  method: 'GET',
  path: '/v1/emails/:email',
  scope: 'emails:read',
  tag: 'emails',
  summary: 'Consulta un correo, con el mensaje tal como se escribió.',
  description:
    'Responde un correo con el mensaje tal como se escribió, sus destinatarios y lo que ha sido de él; también uno que no llega a enviarse. Si el id no es de ninguno de la empresa, responde resource_not_found. Un correo no se reenvía: se llama otra vez a la operación que lo envió, por ejemplo send_invoice.',
  transaction: 'read',
  mcp: true,
  params: Shape({ email: Described(Uuid, 'Id del correo') }),
  output: One(Email),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const row = await findEmail(tx, caller.company_id, params.email);
    if (!row) throw fail(c.resource_not_found, { param: 'email' });
    return { data: present(row, caller) };
  },
});
