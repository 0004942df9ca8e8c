/** Joins the modules' ports with the integrations that implement them. */
import type { Log } from '../kernel/log.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { serviceSecret } from '../platform/service-secrets.ts';
import { makeAuthority } from '../integrations/aeat/authority.ts';
import { makeCertificateReader } from '../integrations/aeat/certificate-reader.ts';
import { makeWalkThreads } from '../integrations/aeat/walk-threads.ts';
import { makeRecords } from '../integrations/aeat/records.ts';
import { simulatorTables } from '../integrations/aeat/simulator-store.ts';
import { makeBlobs } from '../integrations/blobs/blobs.ts';
import {
  addressCodesOf,
  answers,
  contactUsesOf,
  documentSourcesOf,
  families,
  productUsesOf,
  taxUsesOf,
} from '../modules/families.ts';
import { findExpenses } from '../modules/purchase-invoices/index.ts';
import { productPrices } from '../modules/price-lists/index.ts';
import { conversionsOf } from '../modules/sales/index.ts';
import type { Family } from '../modules/sales/index.ts';
import { eventList } from '../modules/event-list.ts';
import { sandboxTablesOf } from '../modules/sandbox-tables.ts';
import { makeMessageIds } from '../modules/emails/index.ts';
import { makeOAuth } from '../modules/oauth/index.ts';
import { makePeople } from '../modules/people/index.ts';
import { makeLinks } from '../modules/pdfs/index.ts';
import { scanUses } from '../modules/purchase-invoices/index.ts';
import { type AuthorityPort, endRepresentation } from '../modules/verifactu/index.ts';
import { helpersOf } from '../integrations/processes/helpers.ts';
import { makePrinter } from '../integrations/pdf/printer.ts';
import { makeScanReader } from '../integrations/scans/scan-reader.ts';
import { makeMailer, noMailer } from '../integrations/smtp/mailer.ts';
import { makeReceivers } from '../integrations/webhooks/receivers.ts';
import type { SmtpServer } from '../integrations/smtp/smtp-url.ts';
import { readAuthoritySchemas } from './authority-schemas.ts';
import { blobPlaceOf } from './blob-place.ts';
import { type Config, ConfigError } from './config.ts';
import { makeSandboxAuthority } from './sandbox-authority.ts';
import { readServiceCertificate } from './service-certificate.ts';

/** Makes Message-IDs. A command reads it too. */
export const messageIdSecret = 'message-ids';

/** This system in every record, and the version of its declaration of conformity. */
const system = { name: 'Folio', code: 'FO', version: '0.1.0' };

/** For sandbox records while no producer is configured. */
const sandboxProducer = { name: 'Productor de pruebas SL', tax_id: 'B12345674', foreign_id: null };

type PortOptions = {
  families?: readonly Family[];
  /** How many processes of the service share the machine's processors. */
  processes?: number;
};

/**
 * @param public_url known once the service listens; a command knows only the configured one
 * @throws ConfigError for a certificate of the service that cannot be used
 */
export async function makePorts(
  config: Config,
  db: Database,
  clock: Clock,
  secrets: SecretBox,
  log: Log,
  public_url: () => string = () => config.FOLIO_PUBLIC_URL ?? '',
  { families: all_families = families, processes = 1 }: PortOptions = {},
): Promise<{
  ports: Ports;
  warnings: readonly string[];
  service_certificate_until: Date | null;
  close(): Promise<void>;
}> {
  const { FOLIO_AEAT_SCHEMAS } = config;
  const receivers = makeReceivers({
    allowed_ranges: config.FOLIO_WEBHOOK_ALLOWED_RANGES,
    source_ips: config.FOLIO_EGRESS_IPS,
  });
  const documents = makeReceivers({
    allowed_ranges: config.FOLIO_OAUTH_ALLOWED_RANGES,
    source_ips: config.FOLIO_EGRESS_IPS,
  });
  const client_documents: Ports['client_documents'] = { fetchDocument: documents.fetchDocument };
  const own = await readServiceCertificate(config);
  const warnings: string[] = [];
  if (own && !own.isInForce(clock.now()))
    warnings.push(
      'the certificate in FOLIO_AEAT_CERTIFICATE is not in force: nothing is sent or signed with it',
    );
  const { link_secret, message_id_secret, form_secret } = await readSecrets(db, secrets, warnings);
  const live = makeAuthority({
    aeat: config.FOLIO_AEAT,
    certificate: own?.identity ?? null,
    simulator: null,
  });
  const hasOwn = () => own?.isInForce(clock.now()) === true;
  const sandbox = makeSandboxAuthority(db, clock, FOLIO_AEAT_SCHEMAS, (error) =>
    log.error({ err: error }, 'the authority simulator failed'),
  );
  const authority = authorityOf(live, sandbox, hasOwn);
  const printer = makePrinter({ log, processes_max: helpersOf(processes) });
  warnings.push(...printer.warnings);
  const blobs = makeBlobs(blobPlaceOf(config));
  const scan_reader = makeScanReader({ processes_max: helpersOf(processes) });
  const { FOLIO_SMTP_URL, FOLIO_MAIL_FROM } = config;
  const mailer = FOLIO_SMTP_URL && FOLIO_MAIL_FROM ? openMailer(FOLIO_SMTP_URL, FOLIO_MAIL_FROM) : noMailer;
  const oauth = makeOAuth({ db, clock, documents: client_documents });
  const for_people = { db, clock, secrets, mailer, log, public_url, form_keys: form_secret.keys, oauth };
  const producer = producerOf(config);
  return {
    ports: {
      representations: { end: endRepresentation },
      records: makeRecords(await readAuthoritySchemas(FOLIO_AEAT_SCHEMAS)),
      shares: db.shares,
      key_limits: { keys_max: config.FOLIO_API_KEYS_MAX },
      receivers,
      authority,
      secrets,
      declarant: { address: config.FOLIO_PRODUCER_ADDRESS, place: config.FOLIO_PRODUCER_PLACE },
      system: { ...system, producer: producer ?? sandboxProducer, is_configured: producer !== null },
      certificates: makeCertificateReader(),
      walks: makeWalkThreads(FOLIO_AEAT_SCHEMAS),
      printer,
      blobs,
      scan_reader,
      scan_uses: scanUses,
      documents: documentSourcesOf(all_families),
      answers,
      sandbox_tables: sandboxTablesOf(all_families, simulatorTables),
      contact_uses: contactUsesOf(all_families),
      product_uses: productUsesOf(all_families),
      tax_uses: taxUsesOf(all_families),
      product_prices: productPrices,
      conversions: conversionsOf(all_families),
      expenses: findExpenses,
      events: eventList,
      links: makeLinks(link_secret.keys, public_url, addressCodesOf(all_families)),
      client_documents,
      oauth,
      people: makePeople({ ...for_people, opens_sign_up: config.FOLIO_SIGN_UP === 'open' }),
      mailer,
      message_ids: makeMessageIds(message_id_secret.keys),
    },
    warnings,
    service_certificate_until: own?.valid_until ?? null,
    async close() {
      await Promise.all([
        live.close(),
        sandbox.close(),
        receivers.close(),
        documents.close(),
        printer.close(),
        scan_reader.close(),
        blobs.close(),
        mailer.close(),
      ]);
    },
  };
}

function producerOf({ FOLIO_PRODUCER_NAME: name, FOLIO_PRODUCER_TAX_ID: tax_id }: Config) {
  return name && tax_id ? { name, tax_id, foreign_id: null } : null;
}

/** Adds a warning for each that replaces one that cannot be read. */
async function readSecrets(db: Database, secrets: SecretBox, warnings: string[]) {
  const link_secret = await serviceSecret(db.index, secrets, 'links');
  if (link_secret.replaces_unreadable)
    warnings.push(
      'public addresses given out before do not open: their secret was sealed with another FOLIO_SECRET_KEY, which FOLIO_SECRET_KEY_PREVIOUS would still read',
    );
  const message_id_secret = await serviceSecret(db.index, secrets, messageIdSecret);
  if (message_id_secret.replaces_unreadable)
    warnings.push(
      'delivery notices about e-mails sent before are not recognised: their secret was sealed with another FOLIO_SECRET_KEY, which FOLIO_SECRET_KEY_PREVIOUS would still read',
    );
  const form_secret = await serviceSecret(db.index, secrets, 'forms');
  return { link_secret, message_id_secret, form_secret };
}

/**
 * Sends live records to the tax authority and those of sandboxes to the simulator.
 * @param hasOwn whether the service's certificate is in force
 */
function authorityOf(
  live: ReturnType<typeof makeAuthority>,
  sandbox: ReturnType<typeof makeSandboxAuthority>,
  hasOwn: () => boolean,
): AuthorityPort {
  return {
    isConfigured: (environment) => environment === 'test' || live.isConfigured('live'),
    hasServiceIdentity: (environment) => environment === 'test' || hasOwn(),
    async serviceIdentity(environment) {
      if (environment === 'test') return (await sandbox.open()).serviceIdentity('test');
      return hasOwn() ? live.serviceIdentity('live') : null;
    },
    send: async (message, identity) =>
      message.environment === 'test'
        ? (await sandbox.open()).send(message, identity)
        : live.send(message, identity),
    qrUrl: live.qrUrl,
  };
}

/** @throws ConfigError for a file of authorities that cannot be read */
function openMailer(server: SmtpServer, from: string) {
  try {
    return makeMailer(server, from);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new ConfigError(
      `The file that FOLIO_SMTP_URL names as ca cannot be read (${code ?? String(error)}).`,
    );
  }
}
