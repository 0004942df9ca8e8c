/** The embedded PostgreSQL, with Folio's names in its messages. */
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from 'embedded-postgres-server';

const folio = {
  id: 'folio',
  name: 'Folio',
  use_other_server: 'set DATABASE_URL to a PostgreSQL server (15 or newer)',
  use_other_folder: 'choose another folder with FOLIO_DATA_DIR',
} as const;

/** @throws EmbeddedPostgresError with a sentence for the person at the terminal */
export function startFolioPostgres(
  options: Omit<EmbeddedPostgresOptions, 'program'>,
): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ ...options, program: folio });
}
