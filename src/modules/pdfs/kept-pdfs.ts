/**
 * The blob store as a cache of PDFs (ADR 21). It never fails an answer: everything can be printed again.
 * After a failure it rests for a while.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../kernel/log.ts';
import type { BlobPort } from './ports.ts';

/** Printing takes milliseconds, so waiting longer helps nobody. */
const readMs = 2000;
const pauseMs = 10_000;
/** At a time. Files beyond that are not stored. */
const writesMax = 32;

export class KeptPdfs {
  readonly #blobs: BlobPort;
  readonly #now: () => number;
  #reads_again_at = 0;
  #writes_again_at = 0;
  #writes = 0;

  /** @param now a monotonic clock in milliseconds */
  constructor(blobs: BlobPort, now: () => number = () => performance.now()) {
    this.#blobs = blobs;
    this.#now = now;
  }

  /** @returns undefined when the store has none or fails */
  async find(key: string, log: Log): Promise<Uint8Array | undefined> {
    if (this.#now() < this.#reads_again_at) return undefined;
    const ending = new AbortController();
    try {
      const reading = this.#blobs.get(key);
      const late = wait(readMs, undefined, { signal: ending.signal, ref: false }).then(() => {
        throw new Error(`The blob store did not answer in ${readMs} ms.`);
      });
      late.catch(() => undefined);
      const bytes = await Promise.race([reading, late]);
      if (bytes === undefined || isWhole(bytes)) return bytes;
      log.warn({ key }, 'what the blob store gave is no whole PDF: it is printed again');
      return undefined;
    } catch (error) {
      this.#reads_again_at = this.#now() + pauseMs;
      log.warn({ err: error, key }, 'the blob store could not be read: PDFs are printed again meanwhile');
      return undefined;
    } finally {
      ending.abort();
    }
  }

  /** Nobody waits for the store. */
  keep(key: string, bytes: Uint8Array, log: Log): void {
    if (this.#now() < this.#writes_again_at || this.#writes >= writesMax) return;
    this.#writes += 1;
    this.#blobs
      .put(key, bytes, 'application/pdf')
      .catch((error: unknown) => {
        this.#writes_again_at = this.#now() + pauseMs;
        log.warn(
          { err: error, key },
          'a PDF could not be kept in the blob store: it is printed again when asked for',
        );
      })
      .finally(() => {
        this.#writes -= 1;
      });
  }
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Others may write to the store, so check beginning and end. */
function isWhole(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, 5)) === '%PDF-' && latin1(bytes.subarray(-16)).trimEnd().endsWith('%%EOF');
}
