import type { SendResult } from '../../modules/verifactu/index.ts';

/** An answer to 1,000 records takes some 3 MB. */
export const answerBytesMax = 8 * 1024 * 1024;

export function noAnswer(message: string): SendResult {
  return { kind: 'no_answer', message: message.slice(0, 500) };
}
