/** What the command `migrate` does. Loaded when it runs. */
import { printDone, quiet } from './command-answers.ts';
import type { Config } from './config.ts';
import { findDatabase, migrateDatabase } from './database.ts';

export async function migrateNow(config: Config, as_json: boolean): Promise<void> {
  const handle = await findDatabase(config, quiet);
  try {
    const applied = await migrateDatabase(handle);
    const sentence = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
    printDone(sentence, { applied }, as_json);
  } finally {
    await handle.stop();
  }
}
