import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Described, Enum, Moment, Type, Uuid } from '../../../kernel/schema.ts';
import { listEmails as readEmails } from '../emails.list.ts';
import { emailPurposes, emailStatuses } from '../emails.rows.ts';
import { EmailListItem, presentListed, purposesText } from '../emails.schema.ts';

export const listEmails = defineList({
  name: 'list_emails',
  path: '/v1/emails',
  scope: 'emails:read',
  tag: 'emails',
  summary: 'Lista los correos enviados, en cola y no enviados.',
  description:
    'Responde una página de los correos de la empresa, los más recientes primero: los enviados, los que están en cola y los que no se han enviado, con el motivo. El texto del mensaje lo da get_email. Los de un documento salen con document_id.',
  mcp: true,
  filters: {
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
    status: Type.Optional(
      Enum(emailStatuses, {
        description: 'queued: en cola; sent: enviados; failed: nadie los ha recibido; not_sent: no se envían',
      }),
    ),
    purpose: Type.Optional(
      Enum(emailPurposes, {
        description: purposesText,
      }),
    ),
    document_id: Type.Optional(Described(Uuid, 'Id del documento del que tratan, por ejemplo una factura')),
  },
  item: EmailListItem,
  examples: [{ title: 'Los que no se han enviado', query: { status: 'not_sent' } }],

  async list({ tx, caller }, { query, page }) {
    return pageAnswer(await readEmails(tx, caller.company_id, page, query), page, presentListed);
  },
});
