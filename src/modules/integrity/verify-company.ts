/** An operator's check may take long, so each read has its own transaction. */
import type { Ports } from '../../kernel/ports.ts';
import { loadCompany } from '../../platform/company-context.ts';
import type { Database } from '../../platform/db.ts';
import { readChainEnds, type Reader, recordCheck } from '../verifactu/index.ts';
import { type ChainRange, checkCompany } from './check-company.ts';
import { type IntegrityCheckBody, presentCheck } from './integrity.schema.ts';

const faultsMax = 1000;

/** The message says where the chain ends. */
export class EmptyPart extends Error {}

export async function verifyCompany(
  db: Database,
  ports: Ports,
  company_id: string,
  real_now: Date,
  range: ChainRange | null,
): Promise<IntegrityCheckBody> {
  const read: Reader = (work) => db.read(company_id, work);
  const { company, now, today } = await read((tx) => loadCompany(tx, company_id, real_now));
  const ends = await readChainEnds(read, company_id);
  const last = ends.records.last?.position ?? 0;
  if (range !== null && range.from > last)
    throw new EmptyPart(
      `The chain ends at position ${last}: there is nothing to check from ${range.from} on.`,
    );
  const check = await ports.walks.run(null, (walker) =>
    checkCompany(read, walker, company, now, ends, range, faultsMax),
  );
  const alarm = await db.transaction(company_id, (tx) =>
    recordCheck({ tx, ports, company, now, today }, check),
  );
  return presentCheck(company_id, check, alarm, now);
}
