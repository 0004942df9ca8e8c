/**
 * *Before storing*: the authority keeps nothing. *After storing*: it keeps the records.
 * A time-out holds the connection without a byte; a reset closes it at once.
 */
export type Fault =
  | { kind: 'timeout_before_storing' | 'timeout_after_storing' }
  | { kind: 'reset_before_storing' | 'reset_after_storing' }
  /** Stored. The connection is cut after half the answer. */
  | { kind: 'half_answer' }
  /** Stored. The answer is not XML. */
  | { kind: 'malformed_answer' }
  /** Nothing stored. */
  | { kind: 'soap_fault_client' | 'soap_fault_server'; code: number }
  /** Nothing stored. HTTP 503 with an HTML page. */
  | { kind: 'unavailable' }
  /** Stored. The answer comes this much later. */
  | { kind: 'slow_answer'; milliseconds: number }
  /** Stored. The answer asks for this TiempoEsperaEnvio, at most 9,999. */
  | { kind: 'long_wait'; seconds: number }
  /** Refuses the first acceptable record. */
  | { kind: 'reject_record'; code: number };

/** Each submission of a company takes one of its faults, in order. */
export type Faults = {
  next: (company_id: string, fault: Fault) => void;
  waiting: (company_id: string) => number;
  clear: (company_id: string) => void;
};

/** `take` is only for the simulator. */
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

export function keepsNothing(fault: Fault): boolean {
  return (
    fault.kind === 'timeout_before_storing' ||
    fault.kind === 'reset_before_storing' ||
    fault.kind === 'soap_fault_client' ||
    fault.kind === 'soap_fault_server' ||
    fault.kind === 'unavailable'
  );
}
