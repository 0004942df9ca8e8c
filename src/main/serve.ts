/** `folio serve`: database, migrations, service, and an orderly end. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config.ts';
import { findDatabase, migrateDatabase } from './database.ts';
import { type Role, startService } from './service.ts';

const drainMs = 300;

/** Starts the service and answers once it has ended, by SIGINT, SIGTERM or the loss of its embedded database. */
export async function serve(config: Config, role: Role): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const ending = new Promise<string>((resolve) => {
    process.once('SIGINT', () => resolve('SIGINT'));
    process.once('SIGTERM', () => resolve('SIGTERM'));
  });
  const handle = await findDatabase(config, say);
  try {
    const applied = await migrateDatabase(handle);
    if (applied.length > 0) say(`Migrations applied: ${applied.length}.`);
    const database = handle.open(`folio ${role}`);
    try {
      const service = await startService({ config, database, role });
      say(`Folio listens on ${service.url} (${handle.description}).`);
      if (role !== 'worker') {
        say('Next: make a company and its keys with');
        say('  npm run -s folio -- company create --name "Acme SL" --tax-id B12345674 --plan scale --json');
        say(`Reference: ${service.url}/docs`);
      }
      const why = await ending;
      say(`Stopping on ${why}.`);
      service.drain();
      await wait(drainMs);
      await service.stop();
    } finally {
      await database.close();
    }
  } finally {
    await handle.stop();
  }
}
