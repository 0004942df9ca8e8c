/** A call as the engine runs it, what its steps are given, and its answer. */
import type { Log } from '../kernel/log.ts';
import type { Caller, Input, Operation, Services } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db.ts';
import type { EarlyRead } from './early-read.ts';
import type { SecretBox } from './secrets.ts';

export type AnyInput = Input<unknown, unknown, unknown>;

export type Call = {
  operation: Operation;
  caller: Caller;
  input: AnyInput;
  idempotency_key: string | null;
  version: string;
  request_id: string;
  /** Whether the caller has this answer of a read already: then it is neither finished nor sent. */
  holds?: ((answer: Answer) => boolean) | undefined;
  /** The transaction that a read began together with the look-up of its caller's credential. */
  early?: EarlyRead | undefined;
  /** The due time of the job that calls: in a sandbox the call is made at this time (ADR 26). */
  due_time?: Date | undefined;
};

export type Answer = {
  status: number;
  body: unknown;
  headers: Record<string, string>;
  /** It is the stored answer of an earlier call with the same idempotency key. */
  is_replay: boolean;
  /** The caller has it already; `body` is null. */
  is_held: boolean;
};

/** What the steps of a call work with. */
export type RunParts = {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  /** What operations may use of the outside. */
  ports: Ports;
  /** What operations may use after their commit. */
  services: Services;
  log: Log;
  /** Told after a commit that enqueued work for now; polling finds it without. */
  onDue?: (() => void) | undefined;
  /** How long an answer is held back for what is done only after its commit; fifteen seconds when left out. */
  answer_wait_ms?: number | undefined;
};

/** The company whose rows the operation works on. */
export function companyOf({ operation, caller }: Call): string {
  if (operation.acts_on === 'key') return caller.key_company_id;
  return operation.acts_on === 'key_owner' ? caller.owner_company_id : caller.company_id;
}
