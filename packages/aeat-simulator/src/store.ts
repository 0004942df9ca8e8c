/** What the simulated authority holds, and the port by which it holds it. */

/** What the authority says of an invoice that it has. */
export type HeldState = 'Correcta' | 'AceptadaConErrores' | 'Anulada';

/** One invoice as the authority has it: the last record accepted for it. All values are plain JSON. */
export type SimulatorRow = {
  /** Issuer, number and date (`dd-mm-yyyy`) joined by tabs: unique within a company. */
  key: string;
  issuer_nif: string;
  number: string;
  /** `dd-mm-yyyy`, as it travelled. */
  issued_on: string;
  /** `yyyy-mm` of the operation's date, else of the issue date: what a query asks for. */
  period: string;
  state: HeldState;
  /** Code of the error with which it was accepted, or null. */
  error_code: number | null;
  /** The message that brought it: up to 20 characters. */
  request_id: string;
  /** Code of that message's answer. */
  csv: string | null;
  /** `record`: came as a record. `form`: entered by hand at the authority; such a one is not changed by records. */
  origin: 'record' | 'form';
  presenter_nif: string;
  /** ISO instant, by the company's clock. */
  presented_at: string;
  /** What a query tells of the record. */
  record: {
    operation: 'Alta' | 'Anulacion';
    external_ref: string | null;
    /** Subsanacion, RechazoPrevio and SinRegistroPrevio as they came. */
    flags: Record<string, string>;
    type: string | null;
    description: string | null;
    tax_total: string | null;
    total: string | null;
    /** Tax numbers or other identifications of the recipients. */
    recipients: string[];
    stamp: string;
    huella: string;
  };
};

/** One page of a period, in the order of `key` by code point. */
export type SimulatorPage = { period: string; after: string | null; limit: number };

/**
 * Where the simulated authority keeps its invoices. `company_id` is the sandbox company, or the taxpayer's
 * NIF when the address names none. Calls of one company never overlap within a simulator.
 */
export type SimulatorStore = {
  /** The rows of these keys that exist, in any order. At most 1,000 keys. */
  find: (company_id: string, keys: readonly string[]) => Promise<SimulatorRow[]>;
  /** Inserts or replaces rows by key, all or none. At most 1,000 rows, each key once. */
  save: (company_id: string, rows: readonly SimulatorRow[]) => Promise<void>;
  /** A page of rows by period, `key` after `after`, at most `limit`. */
  list: (company_id: string, page: SimulatorPage) => Promise<SimulatorRow[]>;
};

/** A store for tests and for a process that needs none: gone with the process. */
export function memoryStore(): SimulatorStore {
  const companies = new Map<string, Map<string, SimulatorRow>>();
  const rowsOf = (company_id: string) => companies.get(company_id) ?? new Map<string, SimulatorRow>();
  return {
    async find(company_id, keys) {
      const rows = rowsOf(company_id);
      return keys.flatMap((key) => rows.get(key) ?? []);
    },
    async save(company_id, rows) {
      const kept = rowsOf(company_id);
      companies.set(company_id, kept);
      for (const row of rows) kept.set(row.key, structuredClone(row));
    },
    async list(company_id, { period, after, limit }) {
      return [...rowsOf(company_id).values()]
        .filter((row) => row.period === period && (after === null || row.key > after))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit);
    },
  };
}
