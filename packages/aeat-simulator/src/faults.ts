/** What may go wrong with a message, on demand. */

/**
 * One fault. *Before storing*: the authority keeps nothing. *After storing*: it has kept the records and the
 * answer is what is lost. A time-out holds the connection open without a byte; a reset closes it at once.
 */
export type Fault =
  | { kind: 'timeout_before_storing' | 'timeout_after_storing' }
  | { kind: 'reset_before_storing' | 'reset_after_storing' }
  /** Stored; the answer's first half arrives, then the connection is cut. */
  | { kind: 'half_answer' }
  /** Stored; the answer is whole and is not XML that anyone can read. */
  | { kind: 'malformed_answer' }
  /** Nothing stored; a SOAP fault with this code. */
  | { kind: 'soap_fault_client' | 'soap_fault_server'; code: number }
  /** Nothing stored; HTTP 503 with a page that is no SOAP. */
  | { kind: 'unavailable' }
  /** Stored and answered, so much later. */
  | { kind: 'slow_answer'; milliseconds: number }
  /** Stored and answered, with this TiempoEsperaEnvio (at most 9,999). */
  | { kind: 'long_wait'; seconds: number }
  /** The first record that would have entered is refused with this code. */
  | { kind: 'reject_record'; code: number };

/** Faults in waiting, by company: each message of the company takes one. */
export type Faults = {
  /** Lets the company's next submission fail so; several are taken in their order. */
  next: (company_id: string, fault: Fault) => void;
  /** How many still wait. */
  waiting: (company_id: string) => number;
  clear: (company_id: string) => void;
};

/** The list itself, with the side that takes. */
export function faultList(): Faults & { take: (company_id: string) => Fault | undefined } {
  const lists = new Map<string, Fault[]>();
  return {
    next(company_id, fault) {
      const list = lists.get(company_id) ?? [];
      lists.set(company_id, list);
      list.push(fault);
    },
    waiting: (company_id) => lists.get(company_id)?.length ?? 0,
    clear: (company_id) => void lists.delete(company_id),
    take(company_id) {
      const list = lists.get(company_id);
      const fault = list?.shift();
      if (list?.length === 0) lists.delete(company_id);
      return fault;
    },
  };
}

/** Whether a message with this fault leaves the authority as it was. */
export function keepsNothing(fault: Fault): boolean {
  return (
    fault.kind === 'timeout_before_storing' ||
    fault.kind === 'reset_before_storing' ||
    fault.kind === 'soap_fault_client' ||
    fault.kind === 'soap_fault_server' ||
    fault.kind === 'unavailable'
  );
}
