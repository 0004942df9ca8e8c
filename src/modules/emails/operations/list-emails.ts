/** Lists the outbox: sent, pending, and not sent with the reason. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { pageAnswer, pageParameters, rangeParameters, readPage } from '../../../kernel/page.ts';
import { Described, Enum, Page, Shape, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { listEmails as readEmails } from '../emails.list.ts';
import { emailPurposes, emailStatuses } from '../emails.rows.ts';
import { EmailListItem, presentListed } from '../emails.schema.ts';

export const listEmails = defineOperation({
  name: 'list_emails',
  method: 'GET',
  path: '/v1/emails',
  scope: 'emails:read',
  tag: 'emails',
  summary: 'Lista los correos enviados, en cola y no enviados.',
  description:
    'Responde una página de los correos de la empresa, los más recientes primero: los enviados, los que están en cola y los que no se han enviado, con el motivo. El texto del mensaje lo da get_email.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    ...pageParameters,
    ...rangeParameters('created', Timestamp),
    status: Type.Optional(
      Enum(emailStatuses, {
        description: 'queued: en cola; sent: enviados; failed: nadie los ha recibido; not_sent: no se envían',
      }),
    ),
    purpose: Type.Optional(
      Enum(emailPurposes, {
        description:
          'invoice: envíos de facturas; payment_reminder: recordatorios de pago; certificate_expiry y representation_expiry: avisos de caducidad',
      }),
    ),
    document_id: Type.Optional(Described(Uuid, 'Id del documento del que tratan, por ejemplo una factura')),
  }),
  output: Page(EmailListItem),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Los que no se han enviado', query: { status: 'not_sent' } }],

  async handle({ tx, caller }, { query }) {
    const page = readPage(query);
    return pageAnswer(await readEmails(tx, caller.company_id, page, query), page, presentListed);
  },
});
