import type { Log } from '../kernel/log.ts';
import type { Caller, FileFacts, Input, Operation, Services, Tx } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db.ts';
import type { EarlyCall } from './early-call.ts';
import type { SecretBox } from './secrets.ts';

export type AnyInput = Input<unknown, unknown, unknown>;

/** The call is refused unless the resource has one of these tags, or is there at all. */
export type ExpectedTags = 'any' | readonly string[];

export type Call = {
  operation: Operation;
  caller: Caller;
  input: AnyInput;
  idempotency_key: string | null;
  version: string;
  request_id: string;
  expected_tags?: ExpectedTags | null | undefined;
  /** What `expected_tags` are about. */
  resource?: Operation | null | undefined;
  /** Whether the caller already has this answer of a read. */
  holds?: ((answer: Answer) => boolean) | undefined;
  /** What began with the look-up of the credential. */
  early?: EarlyCall | undefined;
  /** The calling job's due time; in a sandbox, the call's time (ADR 26). */
  due_time?: Date | undefined;
  /** Of a caller who may lose what admitted them (ADR 102). */
  refuseLost?: RefuseLost | undefined;
  /**
   * Asked while the call has done nothing.
   * @throws 429 company_share_exceeded where answers of its owner that nobody has read fill their share
   */
  refuseUnread?: (() => void) | undefined;
  /** Whether the caller has closed the connection. */
  hasGone?: (() => boolean) | undefined;
};

/**
 * Asked in the transaction that acts, once it waits for nobody any more.
 * @param company_id of the transaction
 * @throws Problem for a caller who lost meanwhile what admitted them
 */
export type RefuseLost = (tx: Tx, company_id: string) => Promise<void>;

export type Answer = {
  status: number;
  body: unknown;
  file?: FileFacts | undefined;
  /** Of a file, or of a resource as it is now: what the next call on it may expect. */
  tag?: string | undefined;
  /** What was asked for was there already: its external id or its content told so. */
  is_repeat: boolean;
  /** The stored answer of an earlier call with this idempotency key. */
  is_replay: boolean;
  /** Of a replay: the version that its answer was made under. */
  version?: string;
  /** The caller has it; `body` is null. */
  is_held: boolean;
};

/** Whether the caller got what an earlier call made. */
export function repeatsEarlier({ is_replay, is_repeat }: Pick<Answer, 'is_replay' | 'is_repeat'>): boolean {
  return is_replay || is_repeat;
}

export type RunParts = {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  ports: Ports;
  services: Services;
  log: Log;
  /** After a commit that enqueued work for now. Polling finds it too. */
  onDue?: (() => void) | undefined;
  /** For work after the commit; 15 seconds when left out. */
  answer_wait_ms?: number | undefined;
};

export function companyOf({ operation, caller }: Call): string {
  if (operation.acts_on === 'key') return caller.key_company_id;
  return operation.acts_on === 'key_owner' ? caller.owner_company_id : caller.company_id;
}
