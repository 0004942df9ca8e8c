/** Joins the ports that modules declare with the integrations that implement them. */
import type { Ports } from '../kernel/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { makeAuthority } from '../integrations/aeat/authority.ts';
import { loadOfficialSchemas } from '../integrations/aeat/official-schemas.ts';
import { makeRecords } from '../integrations/aeat/records.ts';
import type { AuthorityPort } from '../modules/verifactu/index.ts';
import type { Config } from './config.ts';
import { makeSandboxAuthority } from './sandbox-authority.ts';

/** Name and code of this system in every record, and the version of its declaration of conformity. */
const system = { name: 'Folio', code: 'FO', version: '0.1.0' };

/** Who stands as producer in the records of sandbox companies while no producer is configured. */
const sandboxProducer = { name: 'Productor de pruebas SL', tax_id: 'B12345674', foreign_id: null };

export async function makePorts(
  config: Config,
  db: Database,
  clock: Clock,
  secrets: SecretBox,
  report: (error: unknown) => void,
): Promise<{ ports: Ports; close(): Promise<void> }> {
  const { FOLIO_AEAT_SCHEMAS } = config;
  const live = makeAuthority({ aeat: config.FOLIO_AEAT, certificate: null, simulator: null });
  const sandbox = makeSandboxAuthority(db, clock, FOLIO_AEAT_SCHEMAS, report);
  const authority: AuthorityPort = {
    isConfigured: (environment) => environment === 'test' || live.isConfigured('live'),
    hasServiceIdentity: (environment) => environment === 'test' || live.hasServiceIdentity('live'),
    serviceIdentity: async (environment) =>
      environment === 'test' ? (await sandbox.open()).serviceIdentity('test') : live.serviceIdentity('live'),
    send: async (message, identity) =>
      message.environment === 'test'
        ? (await sandbox.open()).send(message, identity)
        : live.send(message, identity),
    qrUrl: live.qrUrl,
  };
  const { FOLIO_PRODUCER_NAME: name, FOLIO_PRODUCER_TAX_ID: tax_id } = config;
  const producer = name && tax_id ? { name, tax_id, foreign_id: null } : sandboxProducer;
  return {
    ports: {
      records: makeRecords(FOLIO_AEAT_SCHEMAS === null ? null : loadOfficialSchemas(FOLIO_AEAT_SCHEMAS)),
      authority,
      secrets,
      system: { ...system, producer },
    },
    async close() {
      await Promise.all([live.close(), sandbox.close()]);
    },
  };
}
