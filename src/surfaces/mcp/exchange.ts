/** One request of the address: what the route knows of it, and what the tools tell the route. */
import type { Caller } from '../../kernel/operation.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { Visit } from '../../platform/admission.ts';
import type { ListText } from './tool-list.ts';
import type { ToolView } from './tool-view.ts';

export type Exchange = {
  visit: Visit;
  caller: Caller;
  view: ToolView;
  /** Of the header, as over REST: a host sets it once for all calls. An argument of the same name wins. */
  active_profile: string | null;
  request_id: string;
  /** Bytes of the body. */
  body_bytes: number;
  /** `legacy`: of a revision before 2026-07-28. */
  era: 'modern' | 'legacy';
  /** Null where the answer holds none. */
  instructions: string | null;
  /** The refusal that the answer tells. */
  problem: Problem | null;
  /** Stands for the empty list that the answer holds. */
  list: ListText | null;
  /** What a tool answered; stands for the empty content that the answer holds. */
  answered: Answered | null;
  /** While answers of this owner that nobody has read fill its share. @throws 429 company_share_exceeded */
  refuseUnread(): void;
  /** Whether the caller has closed the connection. */
  hasGone(): boolean;
};

/** JSON as bytes in parts: as a value, and as the inside of a text. */
export type Answered = { value: readonly Buffer[]; text: readonly Buffer[] };

type Carrier = { extra?: Record<string, unknown> } | undefined;

/** The handler of the protocol hands this through untouched. */
export function carrierOf(exchange: Exchange) {
  const { principal } = exchange.caller;
  return { token: '', clientId: principal.id, scopes: [], extra: { exchange } };
}

export function exchangeOf(carrier: Carrier): Exchange {
  return carrier?.extra?.exchange as Exchange;
}
