/** The originals in the blob store. The store is no cache for them: nothing makes them again (ADR 51). */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ports } from '../../kernel/ports.ts';
import { fail } from '../../kernel/problem.ts';
import '../pdfs/index.ts';

export type ScanFile = { company_id: string; id: string };
/** Hexadecimal. */
export type HashedFile = ScanFile & { sha256: string };

const retrySeconds = 5;

export function scanKey({ company_id, id }: ScanFile): string {
  return `scans/${company_id}/${id}`;
}

/** @throws 503 service_unavailable while the store takes nothing */
export async function storeFile(
  { blobs }: Pick<Ports, 'blobs'>,
  file: ScanFile,
  bytes: Uint8Array,
  media_type: string,
): Promise<void> {
  try {
    await blobs.put(scanKey(file), bytes, media_type);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/**
 * What stands before a store may answer for it, or cut its answer short.
 * @throws 503 service_unavailable while the store does not give what was uploaded, Error for a file that is gone
 */
export async function readFile({ blobs }: Pick<Ports, 'blobs'>, file: HashedFile): Promise<Uint8Array> {
  const bytes = await blobs.get(scanKey(file)).catch((cause: unknown) => {
    throw unavailable(cause);
  });
  if (!bytes) throw new Error(`The file of the scan ${file.id} is not in the blob store.`);
  if ((await digestOf(bytes)) !== file.sha256)
    throw unavailable(new Error(`The blob store gave another file than that of the scan ${file.id}.`));
  return bytes;
}

/** By a thread: it takes some milliseconds. */
const digestOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');

function unavailable(cause: unknown) {
  return Object.assign(fail(c.service_unavailable, { retry_after_seconds: retrySeconds }), { cause });
}
