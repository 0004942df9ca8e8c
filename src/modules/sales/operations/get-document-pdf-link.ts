/** The address of a document's PDF, for those without a key. */
import { ofThe } from '../../../domain/sales/document-kinds.ts';
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { PdfFormat, pdfLink } from '../../pdfs/index.ts';
import { findDocument } from '../documents.store.ts';
import { type Family, paperKindOf } from '../family.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

/** @param said its scope is the one that reads the document. A call needs that scope and `pdfs:read`. */
export function getDocumentPdfLink<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: Omit<VerbTexts, 'description'>,
): Operation {
  const { object } = family;
  const description = `Responde una dirección que abre el PDF sin clave durante 24 horas, con el documento tal como esté entonces. Quien tenga la dirección puede descargarlo: se da solo a quien deba verlo. No envía nada: para eso está send_${object}. La de un documento con número deja de valer antes con revoke_${object}_public_link.`;
  return defineOperation({
    ...verbTextsOf(family, { ...said, description }),
    method: 'GET',
    path: `${pathOf(family)}/pdf-link`,
    scope: 'pdfs:read',
    also_scopes: [said.scope],
    transaction: 'read',
    mcp: true,
    params: idParams(family),
    query: Shape({ format: Type.Optional(PdfFormat) }),
    output: One(
      Type.Object({
        object: Type.Literal('pdf_link'),
        id: Described(Uuid, `Id ${ofThe(family.the)}`),
        url: Type.String({ description: 'Dirección que abre el PDF sin clave' }),
        expires_at: Described(Timestamp, 'Hasta cuándo sirve (ISO 8601 UTC)'),
      }),
    ),
    errors: [c.resource_not_found, ...(said.errors ?? [])],

    prefetch: (tx, company_id, { params }) => findDocument(tx, family, company_id, idOf(family, params)),

    async handle({ ports, company: { company_id }, realNow }, { query: { format = 'a4' } }, row) {
      if (!row) throw fail(c.resource_not_found, { param: family.object });
      const { id } = row;
      const link = pdfLink(ports, { company_id, kind: paperKindOf(family), id }, format, realNow());
      return { data: { object: 'pdf_link', id, ...link } };
    },
  });
}
