/**
 * Loaded before a test file. What a failed test leaves behind, as a caller that asks on and on, would keep its process, and the
 * run, from ending. So a process that lives on long after its last test fails.
 */
import { after } from 'node:test';

/** Services that close on a busy machine take seconds. */
const patienceMs = Number(process.env.FOLIO_TEST_LEFTOVERS_MS ?? 120_000);

after(() => {
  setTimeout(() => {
    const { length } = process.getActiveResourcesInfo();
    console.error(`The tests are over, but ${length} things of this process go on. It is ended.`);
    process.exit(1);
  }, patienceMs).unref();
});
