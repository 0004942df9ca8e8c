/** Bytes that arrive in pieces, in one buffer that grows. A piece that is kept costs some hundred bytes, however small it is. */
import { freeMemory } from '../../kernel/base64-file.ts';

const least = 1024;

export class GatheredBytes {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) this.#grow(length);
    piece.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#buffer.length, least));
    this.#buffer.copy(larger, 0, 0, this.#length);
    freeMemory(this.#buffer);
    this.#buffer = larger;
  }

  /** Nothing is added any more. */
  all(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
