/** The PDF of a document. It is printed after the transaction, so no connection is held meanwhile. */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import {
  type AfterCommit,
  defineOperation,
  type Handled,
  type Operation,
} from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { FileContent, Shape, Type } from '../../../kernel/schema.ts';
import { giveWayNow } from '../../../platform/give-way.ts';
import { PdfFormat, type PdfToPrint, pdfFileName, pdfOf, pdfTag } from '../../pdfs/index.ts';
import { documentSource, longLines } from '../document-source.ts';
import type { Family } from '../family.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

/** @param said its scope reads the document; `pdfs:read` is required too */
export function getDocumentPdf<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const source = documentSource(family);
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'GET',
    path: `${pathOf(family)}/pdf`,
    scope: 'pdfs:read',
    also_scopes: [said.scope],
    transaction: 'read',
    mcp: false,
    params: idParams(family),
    query: Shape({ format: Type.Optional(PdfFormat) }),
    output_media_type: 'application/pdf',
    output: FileContent,
    errors: [c.resource_not_found, ...(said.errors ?? [])],

    prefetch: (tx, company_id, { params }) => source.find(tx, company_id, idOf(family, params)),

    async handle({ ports }, { query: { format = 'a4' } }, printable) {
      if (!printable) throw fail(c.resource_not_found, { param: family.object });
      if (printable.document.lines.length > longLines) await giveWayNow();
      const tag = pdfTag(ports, printable, format);
      const to_print: PdfToPrint = { printable, format, tag };
      return { body: to_print, tag, file: { name: pdfFileName(printable), is_attachment: false } };
    },

    async after_commit(ctx: AfterCommit, answer: Handled<unknown>) {
      const { printable, format, tag } = answer.body as PdfToPrint;
      const { bytes, is_final } = await pdfOf(ctx, printable, format, tag);
      // The tag names the final PDF, so a provisional one has none.
      return { ...answer, tag: is_final ? tag : undefined, body: bytes };
    },
  });
}
