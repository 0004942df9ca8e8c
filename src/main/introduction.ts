/** What a service that has started tells the person at the terminal. */
import { findIncomplete } from '../modules/companies/index.ts';
import { makeSetupLink } from '../modules/people/index.ts';
import type { Database } from '../platform/db.ts';
import type { Config } from './config.ts';
import type { DatabaseHandle } from './database.ts';
import { commandHint, sampleAddress } from './hints.ts';
import type { Role, Service } from './service.ts';
import { say, sayTogether } from './terminal.ts';

/** An operator with more companies does not mind each of them. */
const toldMost = 20;

type Started = {
  handle: Pick<DatabaseHandle, 'description' | 'has_data_folder'>;
  database: Database;
  service: Pick<Service, 'url' | 'port' | 'docs_url'>;
};

/** Says where the service listens, and how to begin. */
export async function introduce(
  { handle, service, database }: Started,
  { FOLIO_PUBLIC_URL, FOLIO_DATA_DIR }: Config,
  role: Role,
): Promise<void> {
  const lines = [`Folio listens on ${service.url} (${handle.description}).`];
  if (role === 'worker')
    lines.push('It works in the background; /healthz, /readyz and /metrics are answered there.');
  else {
    const setup = await makeSetupLink(database.index, new Date()).catch(() => undefined);
    if (setup !== undefined)
      lines.push(
        'Set up the first person, and a company, within a day; the link opens once:',
        `  ${FOLIO_PUBLIC_URL ?? service.url}/setup/${setup}`,
      );
    const folio = commandHint({ FOLIO_DATA_DIR, PORT: service.port });
    const where = handle.has_data_folder ? '' : ', where the settings of this service are in force';
    lines.push(
      `${setup === undefined ? 'Make' : 'Or make'} a company and its first keys${where}:`,
      `  ${folio} company create --name "Acme SL" --tax-id B12345674 --plan scale --json --address '${sampleAddress}'`,
      `Reference: ${service.docs_url ?? service.url}/docs`,
    );
  }
  // Lines of the log stand before or after it.
  setImmediate(() => sayTogether(['', ...lines, '']));
  if (role !== 'worker') void tellOfPapers(database);
}

type Named = { name: string | null; company_id: string };

/**
 * Full invoices state the issuer's address (RD 1619/2012, art. 6.1.e), and an SVG logo of an earlier version is left out (ADR 24).
 * A platform of many companies is not told.
 */
async function tellOfPapers(database: Database): Promise<void> {
  const found = await findIncomplete(database, toldMost).catch(() => null);
  if (found === null) return;
  const tell = (what: string, companies: readonly Named[], mend: string) => {
    const named = companies.map(({ name, company_id }) => `${name ?? ''} (${company_id})`);
    if (named.length > 0) say(`Companies ${what}: ${named.join(', ')}. PUT /v1/account/company ${mend}.`);
  };
  tell('without an address', found.without_address, 'gives them one');
  tell('with an SVG logo, which is not printed', found.with_svg_logo, 'takes a PNG or JPEG');
}
