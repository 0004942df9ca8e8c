/** The PDF that an issue may ask for. It is printed after the commit; then its block is filled in. */
import type { AfterCommit, Ctx, Handled } from '../../../kernel/operation.ts';
import { type PdfBlock, pendingPdf, settledPdf, waitForPdfs } from '../../pdfs/index.ts';

export type Wishes = { wait_for_pdf?: boolean };

/** The e-mail's block comes with its plan instead. */
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
 * Creating operations use it as `after_commit`.
 * @returns the answer with the blocks as they are after the wait; undefined when nobody waits for a PDF
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
  return { ...answer, body: { ...(answer.body as object), data: told } };
}
