/** The PDF that an issue may ask for. It is printed after the commit, and its block is then filled in. E-mails are planned in `planned-email.ts`. */
import type { AfterCommit, Ctx, Handled } from '../../../kernel/operation.ts';
import { type PdfBlock, pendingPdf, settledPdf, waitForPdfs } from '../../pdfs/index.ts';

export type Wishes = { wait_for_pdf?: boolean };

/** The blocks that the caller asked for, to be added to the invoice's `data`. The e-mail's block comes with its plan. */
export function pdfBlocks(
  { ports, company: { company_id }, realNow }: Pick<Ctx, 'ports' | 'company' | 'realNow'>,
  id: string,
  wishes: Wishes,
): Record<string, unknown> {
  const pdf = () => pendingPdf(ports, { company_id, kind: 'invoice', id }, realNow());
  return {
    ...(wishes.wait_for_pdf ? { pdf: pdf() } : {}),
  };
}

type Answered = { id: string; pdf?: PdfBlock };

/**
 * Waits for the PDFs announced in an answer, of one invoice or of a bulk creation. Creating operations use it as `after_commit`.
 * @returns the answer with the blocks as they are by then; undefined when nobody waits for a PDF
 */
export async function waitForPdfBlocks(
  ctx: AfterCommit,
  answer: Handled<unknown>,
): Promise<Handled<unknown> | undefined> {
  const { data } = answer.body as { data: Answered | { invoices: Answered[] } };
  const answered = 'invoices' in data ? data.invoices : [data];
  const { company_id } = ctx.caller;
  const refs = answered.flatMap(({ id, pdf }) => (pdf ? [{ company_id, kind: 'invoice' as const, id }] : []));
  if (refs.length === 0) return undefined;
  const statuses = await waitForPdfs(ctx, refs);
  const tell = (one: Answered) =>
    one.pdf ? { ...one, pdf: settledPdf(one.pdf, statuses.get(one.id)) } : one;
  const told = 'invoices' in data ? { ...data, invoices: data.invoices.map(tell) } : tell(data);
  return { ...answer, body: { data: told } };
}
