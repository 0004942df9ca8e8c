/** A PDF's address, which works for a day without a key. */
import { setTimeout as wait } from 'node:timers/promises';
import { type PrintedFormat, printedFormats } from '../../domain/printing/printed-document.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { AfterCommit, Caller } from '../../kernel/operation.ts';
import { NeedsScope } from '../../kernel/output-scopes.ts';
import type { Ports } from '../../kernel/ports.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Scope, scopesAllow } from '../../kernel/scopes.ts';
import { Enum, Nullable, type Static, Timestamp, Type } from '../../kernel/schema.ts';
import { dayLinkMs } from './links.ts';
import { pdfOf, pdfTag } from './pdf-of.ts';
import type { DocumentRef, LinkedKind } from './ports.ts';
import type { Printable } from './printable.ts';

/** Documents of one answer that print at a time: all callers share the printer. */
const atOnce = 4;
const busyPauseMs = 250;
const busyCodes = new Set([c.service_unavailable.code, c.company_share_exceeded.code]);

/** Of PDFs and of every address that opens one. */
export const paperScope = 'pdfs:read';

export const PdfFormat = Enum(printedFormats, { description: 'Formato; a4 si se omite' });

export const PdfBlock = Type.Object({
  status: Enum(['ready', 'pending', 'failed'], {
    description:
      '`ready`: el PDF está hecho. `pending`: no se ha esperado por él o no estuvo a tiempo; `url` vale ya, y lo hace si falta. `failed`: no se pudo hacer y `url` es nula; la factura no cambia por ello, y el PDF se puede pedir después',
  }),
  url: NeedsScope(
    paperScope,
    Nullable(
      Type.String({
        description: 'Abre el PDF sin clave hasta expires_at; nula si la clave no tiene pdfs:read',
      }),
    ),
  ),
  expires_at: NeedsScope(paperScope, Nullable(Timestamp)),
});
export type PdfBlock = Static<typeof PdfBlock>;

/** @param real_now links expire in real time, whatever the company's clock says */
export function pdfLink(
  ports: Ports,
  ref: DocumentRef,
  format: PrintedFormat,
  real_now: Date,
): { url: string; expires_at: string } {
  const expires_at = new Date(real_now.getTime() + dayLinkMs);
  return { url: ports.links.pdfUrl(ref, format, expires_at), expires_at: expires_at.toISOString() };
}

/** What decides the scopes of a reader. */
export type Reader = Pick<Caller, 'scopes' | 'modules' | 'environment'>;

/** A caller who may not read PDFs is not told their addresses either. */
export function opensPaper(caller: Reader): boolean {
  return scopesAllow(caller.scopes, paperScope, caller);
}

/** For answers that are about a document and do not show it: who may not read it is not told where it opens. */
export function opensPaperOf(kind: LinkedKind, caller: Reader): boolean {
  const read_scope: Scope = `${kind}s:read`;
  return opensPaper(caller) && scopesAllow(caller.scopes, read_scope, caller);
}

/** @param has_address see `opensPaper` */
export function pendingPdf(ports: Ports, ref: DocumentRef, real_now: Date, has_address: boolean): PdfBlock {
  const link = has_address ? pdfLink(ports, ref, 'a4', real_now) : { url: null, expires_at: null };
  return { status: 'pending', ...link };
}

/** A PDF that could not be printed has no address. */
export function settledPdf(block: PdfBlock, status: PdfBlock['status'] = block.status): PdfBlock {
  return status === 'failed' ? { status, url: null, expires_at: null } : { ...block, status };
}

/**
 * Waits as long as the caller may; printing goes on afterwards.
 * @returns by id; `pending` when not ready
 */
export async function waitForPdfs(
  ctx: AfterCommit,
  refs: readonly DocumentRef[],
): Promise<ReadonlyMap<string, PdfBlock['status']>> {
  const found = new Map<string, PdfBlock['status']>(refs.map(({ id }) => [id, 'pending']));
  const ending = new AbortController();
  const { signal } = ending;
  const work = printAll(ctx, refs, signal, (id, status) => found.set(id, status)).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'PDFs that are waited for were not printed'),
  );
  const late = wait(ctx.wait_ms, undefined, { signal }).catch(() => undefined);
  await Promise.race([work, late]);
  ending.abort();
  return new Map(found);
}

async function printAll(
  ctx: AfterCommit,
  refs: readonly DocumentRef[],
  signal: AbortSignal,
  tell: (id: string, status: PdfBlock['status']) => void,
): Promise<void> {
  const { documents } = ctx.ports;
  const printables = await ctx.read((tx) =>
    Promise.all(refs.map(({ company_id, kind, id }) => documents[kind].find(tx, company_id, id))),
  );
  const queue = printables.filter((one) => one !== undefined).values();
  const printer = async () => {
    for (const printable of queue) tell(printable.ref.id, await printed(ctx, printable, signal));
  };
  await Promise.all(Array.from({ length: atOnce }, printer));
}

/** Retries while the printer is busy, unless a document that was too slow rests for longer than the caller waits. */
async function printed(
  ctx: AfterCommit,
  printable: Printable,
  signal: AbortSignal,
): Promise<PdfBlock['status']> {
  const tag = pdfTag(ctx.ports, printable, 'a4');
  for (;;) {
    try {
      await pdfOf(ctx, printable, 'a4', tag);
      return 'ready';
    } catch (error) {
      const is_busy = error instanceof Problem && busyCodes.has(error.def.code);
      const rest_ms = is_busy ? (error.details.retry_after_seconds ?? 0) * 1000 : 0;
      if (is_busy && (signal.aborted || rest_ms > ctx.wait_ms)) return 'pending';
      if (!is_busy) {
        ctx.log.error(
          { err: error, document: printable.ref },
          'a PDF that is waited for could not be printed',
        );
        return 'failed';
      }
      await wait(busyPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
