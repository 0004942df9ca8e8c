/**
 * Companies take turns at the printer, one document each, so that a thousand long invoices of one delay
 * nobody else. The printer's own queue knows no companies, so it stays empty.
 */
import type { PrintedDocument } from '../../domain/printing/printed-document.ts';
import { PrinterBusy } from './ports.ts';

export type TurnLimits = {
  /** Waiting documents and their characters. One company may use half of each. */
  waiting_max: number;
  characters_max: number;
};

const usual: TurnLimits = { waiting_max: 250, characters_max: 64_000_000 };

type Waiting = { characters: number; begin(): void };
type Queue = { waiting: Waiting[]; characters: number };

export class PrintTurns {
  readonly #at_once: number;
  readonly #limits: TurnLimits;
  /** In the order of their turns. */
  readonly #queues = new Map<string, Queue>();
  #printing = 0;
  #waiting = 0;
  #characters = 0;

  /** @param at_once documents printed at a time */
  constructor(at_once: number, limits = usual) {
    this.#at_once = at_once;
    this.#limits = limits;
  }

  /** @throws PrinterBusy when too many wait, in total or of this company */
  async take<T>(company_id: string, characters: number, print: () => Promise<T>): Promise<T> {
    if (this.#printing < this.#at_once) this.#printing += 1;
    else await this.#wait(company_id, characters);
    try {
      return await print();
    } finally {
      this.#pass();
    }
  }

  #wait(company_id: string, characters: number): Promise<void> {
    const { waiting_max, characters_max } = this.#limits;
    const queue = this.#queues.get(company_id) ?? { waiting: [], characters: 0 };
    const is_over = (count: number, sum: number, share: number) =>
      count >= waiting_max * share || (count > 0 && sum + characters > characters_max * share);
    if (is_over(this.#waiting, this.#characters, 1) || is_over(queue.waiting.length, queue.characters, 1 / 2))
      throw new PrinterBusy('Too many documents wait to be printed.');
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.waiting.push({ characters, begin: resolve });
    queue.characters += characters;
    this.#queues.set(company_id, queue);
    this.#waiting += 1;
    this.#characters += characters;
    return promise;
  }

  #pass(): void {
    const [company_id, queue] = this.#queues.entries().next().value ?? [];
    const next = queue?.waiting.shift();
    if (company_id === undefined || !queue || !next) {
      this.#printing -= 1;
      return;
    }
    this.#queues.delete(company_id);
    if (queue.waiting.length > 0) this.#queues.set(company_id, queue);
    queue.characters -= next.characters;
    this.#waiting -= 1;
    this.#characters -= next.characters;
    next.begin();
  }
}

/** Rough: lines and logo are nearly all of it. */
export function charactersOf({ lines, logo }: PrintedDocument): number {
  const texts = lines.reduce(
    (sum, line) => sum + line.description.length + line.details.join().length + 100,
    0,
  );
  return 5_000 + texts + (logo?.base64.length ?? 0);
}
