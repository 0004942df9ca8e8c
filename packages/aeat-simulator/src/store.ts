export type HeldState = 'Correcta' | 'AceptadaConErrores' | 'Anulada';

/** An invoice after its last accepted record, as plain JSON. */
export type SimulatorRow = {
  /** Issuer, number and date (`dd-mm-yyyy`) joined by tabs; unique within a company. */
  key: string;
  issuer_nif: string;
  number: string;
  /** `dd-mm-yyyy` */
  issued_on: string;
  /** `yyyy-mm` of the operation's date, else of the issue date. Queries use it. */
  period: string;
  state: HeldState;
  error_code: number | null;
  /** Of the message that brought it; up to 20 characters. */
  request_id: string;
  /** From the answer to that message. */
  csv: string | null;
  /** `form`: entered by hand at the authority; records cannot change it. */
  origin: 'record' | 'form';
  presenter_nif: string;
  /** Whose records it has had, by `systemOf`. Older rows lack it. */
  systems?: string[];
  /** ISO instant by the company's clock. */
  presented_at: string;
  /** What queries return. */
  record: {
    operation: 'Alta' | 'Anulacion';
    external_ref: string | null;
    /** Subsanacion, RechazoPrevio and SinRegistroPrevio as received. */
    flags: Record<string, string>;
    type: string | null;
    description: string | null;
    tax_total: string | null;
    total: string | null;
    /** Tax numbers or other identifications. */
    recipients: string[];
    stamp: string;
    huella: string;
  };
};

/** A page of a period, ordered by the code points of `key`. */
export type SimulatorPage = { period: string; after: string | null; limit: number };

/**
 * `company_id` is the sandbox company, or the taxpayer's NIF when the address names none.
 * A simulator makes one call at a time per company.
 */
export type SimulatorStore = {
  /** In any order. At most 1,000 keys. */
  find: (company_id: string, keys: readonly string[]) => Promise<SimulatorRow[]>;
  /** Those of `systems` of which a row exists. At most 1,000. */
  findSystems: (company_id: string, systems: readonly string[]) => Promise<string[]>;
  /** Inserts or replaces rows by key, all or none. At most 1,000 rows, each key once. */
  save: (company_id: string, rows: readonly SimulatorRow[]) => Promise<void>;
  /** Keys after `after`. */
  list: (company_id: string, page: SimulatorPage) => Promise<SimulatorRow[]>;
};

export function memoryStore(): SimulatorStore {
  const companies = new Map<string, Map<string, SimulatorRow>>();
  const rowsOf = (company_id: string) => companies.get(company_id) ?? new Map<string, SimulatorRow>();
  return {
    async find(company_id, keys) {
      const rows = rowsOf(company_id);
      return keys.flatMap((key) => rows.get(key) ?? []);
    },
    async findSystems(company_id, systems) {
      const known = new Set([...rowsOf(company_id).values()].flatMap((row) => row.systems ?? []));
      return systems.filter((system) => known.has(system));
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
