/** What an issuing `commit` gets besides the plan. */
import type { AuditEntry, IdempotencyClaim } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Call } from './call.ts';
import type { Clock } from './clock.ts';
import type { LoadedCompany } from './company-context.ts';
import type { Database } from './db.ts';
import type { EventBuffer } from './events.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { JobBuffer } from './jobs.ts';
import type { SecretBox } from './secrets.ts';

/** What a call writes besides its own rows. */
export type Gathered = { events: EventBuffer; jobs: JobBuffer; audits: AuditEntry[] };

export type IssuingCall = {
  call: Call;
  loaded: LoadedCompany;
  gathered: Gathered;
  claim: IdempotencyClaim | null;
  db: Database;
  secrets: SecretBox;
  clock: Clock;
  ports: Ports;
  /**
   * In its own transaction, when nothing else is to be committed.
   * @returns what is to be answered instead: another process was first
   * @throws 429 company_share_exceeded
   */
  keep(answer: StoredAnswer): Promise<Replay | undefined>;
};

/** An earlier request's answer is to be given again. */
export class Replay {
  readonly stored: StoredAnswer;
  constructor(stored: StoredAnswer) {
    this.stored = stored;
  }
}

/** What the plan relied on has changed: the engine prepares again. */
export class PlanStale extends Error {}
