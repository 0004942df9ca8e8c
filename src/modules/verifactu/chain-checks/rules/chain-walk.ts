/** Checks the links of a chain (Orden HAC/1177/2024, arts. 6 to 8). Holds only the last one. */
import type { AnomalyType } from '../../record.ts';
import { type ChainFault, type Fault, makeFault, type Subject } from './faults.ts';

/** `expected` is the huella of the text's values. */
export type ReadLink<L> = {
  own: L;
  huella: string;
  expected: string;
  previous: L | null;
  stamped_at: string;
  is_signed: boolean;
};

/** `fallback` is what the columns say of an unreadable text. */
export type ChainItem<L> = { position: number; read: ReadLink<L> | null; fallback: L | null };

type Place = Partial<Omit<Fault, 'kind' | 'anomaly' | 'what'>>;
type Seen<L> = { position: number; link: L | null; at: number; is_huella_wrong: boolean; place: Place };

/** The clock may be a minute wrong (Orden HAC/1177/2024, art. 7.g). */
const clockMarginMs = 60_000;

export class ChainWalk<L extends { huella: string }> {
  readonly #subject: Subject;
  readonly #sameName: (a: L, b: L) => boolean;
  readonly #now: number;
  #next: number;
  #seen: Seen<L> | null = null;

  /** @param sameName compares two links without their huellas */
  constructor(subject: Subject, sameName: (a: L, b: L) => boolean, now: Date, first: number) {
    this.#subject = subject;
    this.#sameName = sameName;
    this.#now = now.getTime();
    this.#next = first;
  }

  /** Takes the link before the first one to check. */
  begin({ position, read, fallback }: ChainItem<L>): void {
    const link = read?.own ?? fallback;
    const at = read === null ? Number.NaN : Date.parse(read.stamped_at);
    this.#seen = { position, link, at, is_huella_wrong: false, place: { position } };
    this.#next = position + 1;
  }

  check({ position, read, fallback }: ChainItem<L>, place: Place): Fault[] {
    const faults: Fault[] = [];
    const subject = this.#subject;
    const addFault = (fault: ChainFault, anomaly: AnomalyType, what: string, at: Place = place) =>
      faults.push(makeFault(`${subject}_${fault}`, anomaly, what, at));
    const expected = this.#next;
    const before = this.#seen;
    if (position < expected) addFault('repeated', '06', `La posición ${position} está repetida.`);
    if (position > expected) {
      const gap =
        position === expected + 1
          ? `Falta la posición ${expected}.`
          : `Faltan las posiciones ${expected} a ${position - 1}.`;
      addFault('missing', '04', gap);
    }
    const is_huella_wrong = read !== null && read.huella !== read.expected;
    if (is_huella_wrong) addFault('huella_wrong', '01', 'La huella no es la de los datos del texto.');
    const is_adjacent = position === expected && (before !== null || position === 1);
    if (read !== null && is_adjacent) this.#checkLink(read, before, addFault);
    const at = read === null ? Number.NaN : Date.parse(read.stamped_at);
    if (before !== null && at < before.at)
      addFault('stamp_backwards', '11', 'La hora es anterior a la del anterior de la cadena.');
    if (at > this.#now + clockMarginMs)
      addFault('stamp_in_future', '13', 'La hora es posterior a la actual.');
    this.#seen = {
      position,
      link: read?.own ?? fallback,
      at: Number.isNaN(at) ? (before?.at ?? Number.NaN) : at,
      is_huella_wrong,
      place,
    };
    this.#next = Math.max(expected, position + 1);
    return faults;
  }

  #checkLink(
    read: ReadLink<L>,
    before: Seen<L> | null,
    addFault: (fault: ChainFault, anomaly: AnomalyType, what: string, at?: Place) => unknown,
  ): void {
    if (before === null) {
      if (read.previous !== null) addFault('link_wrong', '06', 'Es el primero y nombra a un anterior.');
      return;
    }
    if (before.link === null) return;
    if (read.previous === null) {
      addFault('link_wrong', '06', 'Dice ser el primero de la cadena y no lo es.');
      return;
    }
    if (!this.#sameName(read.previous, before.link))
      addFault('link_wrong', '06', 'No nombra al que está antes en la cadena.');
    if (read.previous.huella === before.link.huella) return;
    // The link before was changed; this one still tells its first huella.
    if (before.is_huella_wrong)
      addFault('previous_huella_wrong', '07', 'Su huella no es la que anotó el siguiente.', before.place);
    else addFault('previous_huella_wrong', '08', 'La huella anterior anotada no es la del anterior.');
  }
}

export type ChainEnds = {
  head: { position: number; name: string | null; huella: string | null; at: Date | null };
  last: { position: number; name: string | null; huella: string | null; at: Date | null } | null;
};

/** Only the head tells that the last links are gone. */
export function headFaults(subject: Subject, { head, last }: ChainEnds): Fault[] {
  const stored = last?.position ?? 0;
  const place = { position: stored === 0 ? null : stored };
  if (head.position > stored) {
    const count = head.position - stored;
    const what =
      count === 1
        ? `Falta el último de la cadena, de posición ${head.position}.`
        : `Faltan los ${count} últimos de la cadena, hasta la posición ${head.position}.`;
    return [makeFault(`${subject}_last_missing`, '05', what, place)];
  }
  const is_same =
    head.position === stored &&
    head.huella === (last?.huella ?? null) &&
    head.name === (last?.name ?? null) &&
    (head.at?.getTime() ?? null) === (last?.at?.getTime() ?? null);
  if (is_same) return [];
  return [
    makeFault(
      `${subject}_head_differs`,
      '10',
      'El final anotado de la cadena no es el último que hay.',
      place,
    ),
  ];
}
