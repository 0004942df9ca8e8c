/** The child's side of a helper (children.ts). It answers in order. */

/** By the monotonic clock that all processes share. */
export const machineMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

type Message = { answer: unknown } | { error: string };
const send = (message: Message): void => void process.send?.(message);

/** @param begun the first word */
export function answerParent<Q extends object>(
  begun: unknown,
  handle: (question: Q) => Promise<unknown>,
): void {
  let last = Promise.resolve();
  process.on('message', (question: Q) => {
    last = last
      .then(() => handle(question))
      .then(
        (answer) => send({ answer: answer ?? null }),
        (error: Error) => send({ error: error.stack ?? String(error) }),
      );
  });
  process.once('disconnect', () => process.exit());
  process.once('SIGTERM', () => process.exit());
  send({ answer: begun });
}
