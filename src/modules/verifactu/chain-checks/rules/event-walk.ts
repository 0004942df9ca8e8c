/** Checks the signed log of events (Orden HAC/1177/2024, art. 9), as record-walk.ts checks records. */
import type { EventRow } from '../../event-log/event-log.store.ts';
import type { RecordReader } from '../../ports.ts';
import type { EventLink, IntegrityCounts } from '../../record.ts';
import { ChainWalk, type ReadLink } from './chain-walk.ts';
import { type Fault, type FaultKind, makeFault } from './faults.ts';
import { secondsOf } from './record-walk.ts';

export type EventTexts = Pick<RecordReader, 'readEvent' | 'huellaOfEvent' | 'checkSignature'>;

/** `columns` is null for a text alone, as in an export. */
export type EventToCheck = {
  id: string | null;
  position: number;
  xml: string;
  columns: Omit<EventRow, 'xml'> | null;
};

type ReadEvent = ReturnType<RecordReader['readEvent']>;

const sameEvent = (a: EventLink, b: EventLink) => a.type === b.type && a.stamped_at === b.stamped_at;

export class EventWalk {
  readonly #texts: EventTexts;
  readonly #chain: ChainWalk<EventLink>;
  readonly #installation: string | null;
  readonly counts: { [K in keyof IntegrityCounts]: number } = {
    huellas: 0,
    signatures: 0,
    links: 0,
    dates: 0,
  };

  constructor(texts: EventTexts, now: Date, installation: string | null, first: number) {
    this.#texts = texts;
    this.#installation = installation;
    this.#chain = new ChainWalk<EventLink>('event', sameEvent, now, first);
  }

  begin(event: EventToCheck): void {
    const { read } = this.#read(event.xml);
    this.#chain.begin({
      position: event.position,
      read: read && this.#linkOf(read),
      fallback: fallbackOf(event),
    });
  }

  /** For a link before the first one, when its text is not at hand. */
  beginAfter(position: number, link: EventLink): void {
    this.#chain.begin({ position, read: null, fallback: link });
  }

  check(event: EventToCheck): Fault[] {
    const { position, xml, columns } = event;
    const { read, error } = this.#read(xml);
    const place = {
      position,
      event_id: event.id,
      event: read === null ? fallbackOf(event) : this.#linkOf(read).own,
    };
    const faults: Fault[] = [];
    const addFault = (kind: FaultKind, anomaly: Fault['anomaly'], what: string) =>
      faults.push(makeFault(kind, anomaly, what, place));
    if (read === null) addFault('event_unreadable', '03', `El texto no se puede leer: ${error}`);
    else {
      for (const difference of columns === null ? [] : differencesOf(read, columns))
        addFault('event_column_differs', '03', difference);
      if (this.#installation !== null && read.system.installation_number !== this.#installation)
        addFault('event_column_differs', '03', 'El número de instalación no es el de la empresa.');
      this.counts.huellas += 1;
    }
    this.counts.links += 1;
    this.counts.dates += 1;
    this.counts.signatures += 1;
    faults.push(
      ...this.#chain.check(
        { position, read: read && this.#linkOf(read), fallback: fallbackOf(event) },
        place,
      ),
    );
    if (read !== null && !read.is_signed) addFault('event_signature_missing', '02', 'No está firmado.');
    else if (read !== null) {
      const { is_valid, reason } = this.#texts.checkSignature(xml);
      if (!is_valid)
        addFault('event_signature_wrong', '02', `La firma no es correcta: ${reason ?? 'sin motivo'}`);
    }
    return faults;
  }

  #read(xml: string): { read: ReadEvent; error: null } | { read: null; error: string } {
    try {
      return { read: this.#texts.readEvent(xml), error: null };
    } catch (error) {
      return { read: null, error: error instanceof Error ? error.message.trim() : 'error desconocido' };
    }
  }

  #linkOf(read: ReadEvent): ReadLink<EventLink> {
    return {
      own: { type: read.details.type, stamped_at: read.stamped_at, huella: read.huella },
      huella: read.huella,
      expected: this.#texts.huellaOfEvent(read),
      previous: read.previous,
      stamped_at: read.stamped_at,
      is_signed: read.is_signed,
    };
  }
}

function fallbackOf({ columns }: EventToCheck): EventLink | null {
  if (columns === null) return null;
  const { type, stamped_at, huella } = columns;
  return { type, stamped_at, huella };
}

function differencesOf(read: ReadEvent, row: Omit<EventRow, 'xml'>): string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['type', row.type, read.details.type],
    ['stamped_at', row.stamped_at, read.stamped_at],
    ['occurred_at', secondsOf(row.occurred_at), secondsOf(read.stamped_at)],
    ['huella', row.huella, read.huella],
    ['previous_huella', row.previous_huella, read.previous?.huella ?? null],
  ];
  return pairs.flatMap(([name, stored, said]) =>
    stored === said
      ? []
      : [`La columna ${name} dice ${stored ?? 'nada'} y el texto ${said ?? 'nada'}.`.slice(0, 300)],
  );
}
