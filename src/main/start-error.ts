/** The message is one sentence for the person at the terminal. */
export class StartError extends Error {
  /** Whether another attempt may succeed, as after the embedded database died meanwhile. */
  readonly may_pass: boolean;

  constructor(message: string, may_pass = false) {
    super(message);
    this.may_pass = may_pass;
  }
}
