import type { Ports } from '../../kernel/ports.ts';
import type { Environment, Operation, Tx } from '../../kernel/operation.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    /** By kind of document; none for a kind that nobody answers. */
    answers: Readonly<Record<string, AnswerPort>>;
  }
}

/** What its public page needs to know of an offer, besides what is printed. */
export type Answering = {
  company: { company_id: string; environment: Environment; owner_company_id: string };
  /** Of the company. */
  today: string;
  /** Of its content. */
  version: number;
  /** Whether it can be answered on its page now. */
  is_open: boolean;
  /** Null while it is not accepted. `name`: who said they accept. `day`, `time`: those of the company. */
  acceptance: { name: string | null; day: string; time: string } | null;
  /** The answer that stands, as its page took it. */
  taken:
    | { move: 'accept'; name: string | null; version: number }
    | { move: 'reject'; reason: string | null }
    | null;
  /** A receipt of this acceptance is on its way, or was taken by the mail server. */
  has_receipt: boolean;
  /** Whoever accepts it now is sent a receipt. */
  sends_receipt: boolean;
};

export type AnsweringPlace = { tx: Tx; real_now: Date; ports: Pick<Ports, 'mailer'> };

export type AnswerPort = {
  /** @returns undefined when the company has no such document */
  find(at: AnsweringPlace, company_id: string, id: string): Promise<Answering | undefined>;
  /** For the page alone: no catalogue has them. */
  accept: Operation;
  reject: Operation;
};
