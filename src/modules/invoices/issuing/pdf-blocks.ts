/**
 * The PDF of a creation that issues. If the caller waits for it, it is printed after the commit, and its block is
 * filled in then.
 */
import type { AfterCommit, Ctx, Handled } from '../../../kernel/operation.ts';
import { opensPaper, type PdfBlock, pendingPdf, settledPdf, waitForPdfs } from '../../pdfs/index.ts';

export type Wishes = { wait_for_pdf?: boolean };

/** Blocks whose PDF the caller waits for. The answer does not say so. */
const awaited = new WeakSet<object>();

/** The e-mail's block comes with its plan instead. */
export function pdfBlocks(
  { ports, caller, company: { company_id }, realNow }: Pick<Ctx, 'ports' | 'caller' | 'company' | 'realNow'>,
  id: string,
  wishes: Wishes = {},
): { pdf: PdfBlock } {
  const pdf = pendingPdf(ports, { company_id, kind: 'invoice', id }, realNow(), opensPaper(caller));
  if (wishes.wait_for_pdf) awaited.add(pdf);
  return { pdf };
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
  const refs = answered.flatMap(({ id, pdf }) =>
    pdf && awaited.has(pdf) ? [{ company_id, kind: 'invoice' as const, id }] : [],
  );
  if (refs.length === 0) return undefined;
  const statuses = await waitForPdfs(ctx, refs);
  const tell = (one: Answered) =>
    one.pdf && awaited.has(one.pdf) ? { ...one, pdf: settledPdf(one.pdf, statuses.get(one.id)) } : one;
  const told = 'invoices' in data ? { ...data, invoices: data.invoices.map(tell) } : tell(data);
  return { ...answer, body: { ...(answer.body as object), data: told } };
}
