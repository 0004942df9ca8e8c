/** The whole message is refused: answered as a SOAP fault, nothing kept. */
export class MessageFault extends Error {
  readonly code: number;
  /** What exactly, where the code alone does not tell. */
  readonly detail: string | undefined;

  constructor(code: number, detail?: string) {
    super(`message refused: ${code}`);
    this.code = code;
    this.detail = detail;
  }
}
