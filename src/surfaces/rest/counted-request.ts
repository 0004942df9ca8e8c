/**
 * A request whose body comes in crumbs ends where they are too many. A piece of a body costs the loop a microsecond, and some hundred
 * bytes until it is read. That is so for a single byte too, and before anybody is asked for a credential.
 */
// An `import` of node:http also loads Node's own undici, as WebSocket is among its exports: a tenth of what a start loads.
const { IncomingMessage } = process.getBuiltinModule('node:http');

/** More than a writer of JSON makes that sends each word of a usual body alone. */
const piecesFree = 4096;
/** A longer body may have one more piece for so many bytes. */
const bytesOfPiece = 64;

export class CountedRequest extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;
  #is_crumbled = false;

  /** Its end is none: what came after too many pieces is not there. */
  get is_crumbled(): boolean {
    return this.#is_crumbled;
  }

  /** Node calls it with each piece, and with null at the end. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#is_crumbled) return false;
    if (piece !== null) {
      this.#pieces += 1;
      this.#bytes += piece.length;
      this.#is_crumbled = this.#pieces > piecesFree + this.#bytes / bytesOfPiece;
      // Else Node would take its early end for a caller that has gone, and close the connection before the answer.
      if (this.#is_crumbled) this.complete = true;
    }
    return super.push(this.#is_crumbled ? null : piece, encoding);
  }
}

export function isCrumbled(payload: NodeJS.ReadableStream): boolean {
  return payload instanceof CountedRequest && payload.is_crumbled;
}
