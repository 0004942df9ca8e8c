/** A migrated, durable embedded PostgreSQL in a temporary folder. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedConnection } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { readConfig } from '../src/main/config.ts';
import { findDatabase, migrateDatabase } from '../src/main/database.ts';
import type { Environment } from '../src/kernel/operation.ts';
import type { PlanName } from '../src/kernel/plans.ts';
import { newId } from '../src/kernel/uuid7.ts';
import { createCompany } from '../src/modules/companies/index.ts';
import type { Database } from '../src/platform/db.ts';

export type BenchCompany = { company_id: string; key: string; client_id: string };

export type Place = {
  data_dir: string;
  /** To log in as the service's role. */
  target: object;
  /** To log in as the owner of all rows. */
  owner_target: EmbeddedConnection;
  /** As the service's: one company at a time. */
  db: Database;
  /** Sees all companies. */
  owner: Sql;
  server_version: string;
  /** @param environment `test` makes a sandbox */
  makeCompany(environment?: Environment, plan?: PlanName): Promise<BenchCompany>;
  close(): Promise<void>;
};

/** The database's user may enter it. The caller deletes it. */
export function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'folio-bench-'));
  chmodSync(dir, 0o711);
  const data_dir = join(dir, 'data');
  mkdirSync(data_dir);
  return data_dir;
}

export function removeFolder(data_dir: string): void {
  rmSync(join(data_dir, '..'), { recursive: true, force: true });
}

/** Starts or joins the database of the folder. */
export async function openPlace(data_dir: string): Promise<Place> {
  const handle = await findDatabase(readConfig({ FOLIO_DATA_DIR: data_dir }), () => undefined);
  await migrateDatabase(handle);
  const db: Database = handle.open('folio bench');
  const owner = handle.owner();
  const [row] = await owner<{ server_version: string }[]>`show server_version`;
  let made = 0;
  return {
    data_dir,
    db,
    target: handle.embedded!.connection('folio_service', 'folio'),
    owner_target: handle.embedded!.connection(handle.embedded!.superuser, 'folio'),
    owner,
    server_version: row!.server_version,
    async makeCompany(environment = 'live', plan = 'scale') {
      made += 1;
      const request = {
        name: `Acme ${made} SL`,
        tax_id: 'B12345674',
        plan,
        parent_id: null,
        api_version: null,
      } as const;
      const company = await createCompany(db, request, new Date());
      const [company_id, key] =
        environment === 'live'
          ? [company.company_id, company.live_key]
          : [company.sandbox_company_id, company.test_key];
      const client_id = newId();
      await owner`
        insert into contacts (company_id, id, role, name, tax_id, created_at, updated_at)
        values (${company_id}, ${client_id}, 'client', 'Librería Norte SL', 'B12345674', now(), now())`;
      return { company_id, key, client_id };
    },
    async close() {
      await owner.end();
      await db.close();
      await handle.stop();
    },
  };
}
