/** Checks that each record is readable, and fits its huella, signature, predecessor and columns. */
import type { RecordReader } from '../../ports.ts';
import type { ChainLink, IntegrityCounts, InvoiceRef, ReadRecord, RemissionMode } from '../../record.ts';
import type { RecordRow } from '../../records/records.rows.ts';
import { ChainWalk, type ReadLink } from './chain-walk.ts';
import { type Fault, type FaultKind, makeFault } from './faults.ts';

export type RecordTexts = Pick<RecordReader, 'readRecord' | 'huellaOf' | 'checkSignature' | 'findTextFaults'>;

/** `columns` is null for a text alone, as in an export. */
export type RecordToCheck = {
  id: string | null;
  position: number;
  mode: RemissionMode;
  xml: string;
  columns: Omit<RecordRow, 'xml'> | null;
  /** Skips the check of the schema, which it may break. */
  is_known_broken: boolean;
};

const sameInvoice = (a: InvoiceRef, b: InvoiceRef) =>
  a.tax_id === b.tax_id && a.number === b.number && a.issued_on === b.issued_on;

export class RecordWalk {
  readonly #texts: RecordTexts;
  readonly #chain: ChainWalk<ChainLink>;
  readonly #installation: string | null;
  readonly counts: { [K in keyof IntegrityCounts]: number } = {
    huellas: 0,
    signatures: 0,
    links: 0,
    dates: 0,
  };

  /**
   * @param installation the company's NumeroInstalacion; null when unknown
   * @param first the position of the first record to check
   */
  constructor(texts: RecordTexts, now: Date, installation: string | null, first: number) {
    this.#texts = texts;
    this.#installation = installation;
    this.#chain = new ChainWalk<ChainLink>('record', sameInvoice, now, first);
  }

  begin(record: RecordToCheck): void {
    const { read } = this.#read(record.xml);
    this.#chain.begin({
      position: record.position,
      read: read && this.#linkOf(read),
      fallback: fallbackOf(record),
    });
  }

  /** For a link before the first one, when its text is not at hand. */
  beginAfter(position: number, link: ChainLink): void {
    this.#chain.begin({ position, read: null, fallback: link });
  }

  check(record: RecordToCheck): Fault[] {
    const { position, xml, mode, columns } = record;
    const { read, error } = this.#read(xml);
    const named = read === null ? fallbackOf(record) : this.#linkOf(read).own;
    const place = {
      position,
      record_id: record.id,
      invoice_id: columns?.invoice_id ?? null,
      number: named?.number ?? null,
      invoice: named && { tax_id: named.tax_id, number: named.number, issued_on: named.issued_on },
    };
    const faults: Fault[] = [];
    const addFault = (kind: FaultKind, anomaly: Fault['anomaly'], what: string) =>
      faults.push(makeFault(kind, anomaly, what, place));
    if (read === null) addFault('record_unreadable', '03', `El texto no se puede leer: ${error}`);
    else {
      if (!record.is_known_broken) {
        const [broken] = this.#texts.findTextFaults(xml);
        if (broken !== undefined)
          addFault('record_schema_broken', '03', `No cumple el esquema de la Agencia Tributaria: ${broken}`);
      }
      for (const difference of columns === null ? [] : differencesOf(read, columns))
        addFault('record_column_differs', '03', difference);
      if (this.#installation !== null && read.system.installation_number !== this.#installation)
        addFault('record_column_differs', '03', 'El número de instalación no es el de la empresa.');
      this.counts.huellas += 1;
    }
    this.counts.links += 1;
    this.counts.dates += 1;
    faults.push(
      ...this.#chain.check(
        { position, read: read && this.#linkOf(read), fallback: fallbackOf(record) },
        place,
      ),
    );
    if (mode === 'no_verifactu') {
      this.counts.signatures += 1;
      // An unreadable text has its fault already.
      if (read !== null && !read.is_signed) addFault('record_signature_missing', '02', 'No está firmado.');
      else if (read !== null) {
        const { is_valid, reason } = this.#texts.checkSignature(xml);
        if (!is_valid)
          addFault('record_signature_wrong', '02', `La firma no es correcta: ${reason ?? 'sin motivo'}`);
      }
    }
    return faults;
  }

  #read(xml: string): { read: ReadRecord; error: null } | { read: null; error: string } {
    try {
      return { read: this.#texts.readRecord(xml), error: null };
    } catch (error) {
      return { read: null, error: error instanceof Error ? error.message.trim() : 'error desconocido' };
    }
  }

  #linkOf(read: ReadRecord): ReadLink<ChainLink> {
    const { issuer, number, issued_on } = read.content;
    return {
      own: { tax_id: issuer.tax_id, number, issued_on, huella: read.huella },
      huella: read.huella,
      expected: this.#texts.huellaOf(read),
      previous: read.previous,
      stamped_at: read.stamped_at,
      is_signed: read.is_signed,
    };
  }
}

function fallbackOf({ columns }: RecordToCheck): ChainLink | null {
  if (columns === null) return null;
  const { tax_id, number, issued_on, huella } = columns;
  return { tax_id, number, issued_on, huella };
}

function differencesOf(read: ReadRecord, row: Omit<RecordRow, 'xml'>): string[] {
  const { content } = read;
  const alta = content.kind === 'alta' ? content : null;
  const anulacion = content.kind === 'anulacion' ? content : null;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['kind', row.kind, content.kind],
    ['id', row.id, content.reference],
    ['tax_id', row.tax_id, content.issuer.tax_id],
    ['number', row.number, content.number],
    ['issued_on', row.issued_on, content.issued_on],
    ['invoice_type', row.invoice_type, alta?.type ?? null],
    ['is_subsanacion', row.is_subsanacion, alta?.is_subsanacion ?? false],
    [
      'prior_rejection',
      row.prior_rejection,
      alta ? alta.prior_rejection : anulacion?.is_prior_rejection ? 'S' : null,
    ],
    ['has_no_prior_record', row.has_no_prior_record, anulacion?.has_no_prior_record ?? false],
    ['tax_total', row.tax_total, alta?.tax_total ?? null],
    ['total', row.total, alta?.total ?? null],
    ['huella', row.huella, read.huella],
    ['previous_huella', row.previous_huella, read.previous?.huella ?? null],
    ['stamped_at', row.stamped_at, read.stamped_at],
    ['recorded_at', secondsOf(row.recorded_at), secondsOf(read.stamped_at)],
  ];
  const found = pairs.flatMap(([name, stored, said]) =>
    stored === said
      ? []
      : [`La columna ${name} dice ${stored ?? 'nada'} y el texto ${said ?? 'nada'}.`.slice(0, 300)],
  );
  if (row.mode === 'verifactu' && read.is_signed)
    found.push('La columna mode dice verifactu y el texto está firmado.');
  if (!isQrOf(row.qr_url, content.issuer.tax_id, content.number, content.issued_on, alta?.total ?? null))
    found.push('La columna qr_url no es la dirección de este registro.');
  return found;
}

export function secondsOf(instant: Date | string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? 'otra cosa' : `${at.toISOString().slice(0, 19)}Z`;
}

/** An annulment keeps the address of its invoice, and has no total. */
function isQrOf(
  address: string | null,
  tax_id: string,
  number: string,
  issued_on: string,
  total: string | null,
): boolean {
  if (address === null) return total === null;
  if (!URL.canParse(address)) return false;
  const query = new URL(address).searchParams;
  const day = issued_on.split('-').reverse().join('-');
  return (
    query.get('nif') === tax_id &&
    query.get('numserie') === number &&
    query.get('fecha') === day &&
    (total === null || query.get('importe') === total)
  );
}
