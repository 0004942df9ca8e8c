/** Companies know no records: another module supplies this. */
import type { AuditEntry, Tx } from '../../kernel/operation.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    representations: RepresentationsPort;
  }
}

export type RepresentationsPort = {
  /**
   * Ends what lets the service act for the company. The company's row is locked first.
   * @returns what to log, undefined where nothing was in force
   */
  end(tx: Tx, company_id: string, reason: string, now: Date): Promise<AuditEntry | undefined>;
};
