/** `folio serve` in one process: database, migrations, service, and an orderly end. */
import type { Config } from './config.ts';
import { findDatabase } from './database.ts';
import { introduce } from './introduction.ts';
import { keepServing, type Running } from './keep-serving.ts';
import { abandonService, closeService, drainService, openService } from './open-service.ts';
import type { Role } from './service.ts';
import { stopSignals } from './stop-signals.ts';
import { say } from './terminal.ts';

/**
 * Returns once a signal has ended the service.
 * @throws StartError, ConfigError or EmbeddedPostgresError
 */
export function serve(config: Config, role: Role): Promise<void> {
  // A terminal that is closed says SIGHUP. It would end this process without a word, and leave the embedded database behind.
  return keepServing(config, (here) => start(here, role), [...stopSignals, 'SIGHUP']);
}

async function start(config: Config, role: Role): Promise<Running> {
  const handle = await findDatabase(config, say);
  try {
    const open = await openService(handle, config, role, null);
    const { service } = open;
    return {
      url: service.url,
      port: service.port,
      embedded: handle.embedded,
      introduce: () => void introduce({ ...open, handle }, config, role),
      tellFault: (error) => service.app.log.fatal({ err: error }, 'ending on a fault of the program'),
      async end() {
        await drainService(open);
        await closeService(open);
        await handle.stop();
      },
      async abandon() {
        await abandonService(open);
        await handle.stop();
      },
      kill: () => undefined,
    };
  } catch (error) {
    await handle.stop();
    throw error;
  }
}
