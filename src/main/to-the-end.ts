import { complain } from './terminal.ts';

/**
 * Does the work of a command. Without it a command that waits for what can no longer come would end as if it were done:
 * with code 0, and without a word.
 */
export async function toTheEnd(work: () => Promise<void>): Promise<void> {
  const tell = () => {
    complain('folio: the command ended before it was done, which is a fault of the program: do it again.');
    process.exitCode = 1;
  };
  process.once('beforeExit', tell);
  try {
    await work();
  } finally {
    process.off('beforeExit', tell);
  }
}
