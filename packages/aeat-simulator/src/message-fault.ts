/** Refuses the whole message with a SOAP fault; nothing is stored. */
export class MessageFault extends Error {
  readonly code: number;
  readonly detail: string | undefined;

  constructor(code: number, detail?: string) {
    super(`message refused: ${code}`);
    this.code = code;
    this.detail = detail;
  }
}
