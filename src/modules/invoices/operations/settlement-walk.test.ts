/**
 * After any sequence of moves, each sum is due once and decides the state, what is due can be paid, what is owed to the client can be
 * given back, what is paid can be returned, and everything can be withdrawn (ADR 14).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type App, startApp } from '../../../../test/harness.ts';

const moves = [
  'issue',
  'ticket',
  'free',
  'less',
  'more',
  'bad_debt',
  'bad_debt_paid',
  'undo',
  'instead',
  'full',
  'pay_part',
  'pay_all',
  'refund',
  'reverse',
  'annul',
  'void',
  'replay',
  'wait',
] as const;
type Move = (typeof moves)[number];
type Step = readonly [Move, number];

type Payment = { id: string; amount: number; is_reversed: boolean };
type Seen = {
  id: string;
  external_id: string | null;
  status: string;
  due_on: string | null;
  amount_due: number;
  taxes_total: number;
  paid_amount: number;
  pending_amount: number;
  payments: { detail: Payment[] };
};
/** What the walk knows from its own requests, never from the service's sums. */
type Kind = 'own' | 'difference' | 'instead' | 'full';
type Doc = {
  id: string;
  kind: Kind;
  of: readonly string[];
  is_withdrawn: boolean;
  /** One for a bad debt, or one that corrects it: its base stays owed (ADR 103). */
  moves_tax_alone: boolean;
  sent?: object;
};
type Measure = (doc: Doc, seen: Map<string, Seen>) => number;

const cents = (amount: number) => Math.round(amount * 100);
const invoicedBy: Measure = (doc, seen) => cents(seen.get(doc.id)!.amount_due);
const owedBy: Measure = (doc, seen) =>
  doc.moves_tax_alone ? cents(seen.get(doc.id)!.taxes_total) : invoicedBy(doc, seen);
const withdrawn = ['voided', 'annulled'];

class Walk {
  private readonly docs: Doc[] = [];
  private day = 0;
  private shown_day = '';
  private count = 0;
  private readonly app: App;
  private readonly key: string;
  private readonly client: string;

  constructor(app: App, key: string, client: string) {
    this.app = app;
    this.key = key;
    this.client = client;
  }

  private async post(path: string, body: object = {}) {
    const res = await this.app.post(`/v1${path}`, { key: this.key, body });
    assert.ok([200, 201, 409, 422].includes(res.status), `${path} ${res.text}`);
    return res;
  }

  async today(): Promise<string> {
    const day = new Date(Date.UTC(2027, 0, 1 + this.day)).toISOString().slice(0, 10);
    if (day === this.shown_day) return day;
    const body = { now: `${day}T10:00:00Z`, frozen: true };
    const res = await this.app.put('/v1/sandbox/clock', { key: this.key, body });
    assert.equal(res.status, 200, res.text);
    this.shown_day = day;
    return day;
  }

  async seen(): Promise<Map<string, Seen>> {
    const list = await this.app.get('/v1/invoices?limit=100', { key: this.key });
    assert.deepEqual([list.status, list.body.has_more], [200, false]);
    return new Map(list.body.data.map((one: Seen) => [one.id, one]));
  }

  private keep(
    res: { status: number; body: { data: { id: string } } },
    of: string[],
    kind: Kind = 'own',
    { sent, moves_tax_alone = false }: { sent?: object; moves_tax_alone?: boolean } = {},
  ) {
    const { id } = res.body.data ?? {};
    if (res.status === 201)
      this.docs.push({ id, kind, of, is_withdrawn: false, moves_tax_alone, ...(sent ? { sent } : {}) });
  }

  private replacement(id: string): Doc | undefined {
    return this.docs.find((doc) => !doc.is_withdrawn && doc.kind !== 'difference' && doc.of.includes(id));
  }

  private differences(id: string): Doc[] {
    return this.docs.filter((doc) => !doc.is_withdrawn && doc.kind === 'difference' && doc.of.includes(id));
  }

  /** For the invoice and all its correctives, in cents. */
  private due(doc: Doc, seen: Map<string, Seen>, measure = owedBy): number {
    if (doc.is_withdrawn) return 0;
    const instead = this.replacement(doc.id);
    if (instead) return this.due(instead, seen, measure);
    // A full invoice takes along the correctives of its tickets.
    const tickets = doc.kind === 'full' ? doc.of : [];
    const corrected = [doc.id, ...tickets].flatMap((id) => this.differences(id));
    return corrected.reduce((sum, one) => sum + this.due(one, seen, measure), measure(doc, seen));
  }

  private received(doc: Doc, seen: Map<string, Seen>): number {
    const live = seen.get(doc.id)!.payments.detail.filter((payment) => !payment.is_reversed);
    return live.reduce((sum, payment) => sum + cents(payment.amount), 0);
  }

  /** The documents that may hold its payments: itself, and those that it replaced. */
  private before(doc: Doc): Doc[] {
    if (doc.kind === 'difference') return [];
    return [doc, ...this.docs.filter((one) => doc.of.includes(one.id)).flatMap((one) => this.before(one))];
  }

  async check(today: string): Promise<Map<string, Seen>> {
    const seen = await this.seen();
    for (const doc of this.docs) {
      const one = seen.get(doc.id)!;
      const has_no_money = doc.is_withdrawn || this.replacement(doc.id) !== undefined || this.isBelow(doc);
      const received = this.before(doc).reduce((sum, each) => sum + this.received(each, seen), 0);
      const pending = has_no_money ? 0 : this.due(doc, seen) - received;
      const told = JSON.stringify({ one, docs: this.docs });
      assert.equal(cents(one.pending_amount), pending, `pending of ${told}`);
      assert.equal(cents(one.paid_amount), this.received(doc, seen), `paid of ${told}`);
      assert.equal(withdrawn.includes(one.status), doc.is_withdrawn, told);
      if (has_no_money) {
        const replaced = this.replacement(doc.id) !== undefined;
        if (!doc.is_withdrawn)
          assert.equal(
            ['rectified', 'substituted'].includes(one.status),
            replaced || this.isNothing(doc, seen),
            told,
          );
        continue;
      }
      const is_late = one.due_on !== null && one.due_on < today;
      const states = this.isNothing(doc, seen)
        ? ['rectified']
        : pending > 0
          ? is_late
            ? ['overdue']
            : ['issued', 'sent']
          : received > 0 || (received < 0 && pending === 0)
            ? ['paid']
            : ['issued', 'sent'];
      assert.ok(states.includes(one.status), `${states} is not ${told}`);
    }
    return seen;
  }

  /** Another invoice holds its money: the corrected one, or the one that its replaced document corrects. */
  private isBelow(doc: Doc): boolean {
    if (doc.kind === 'difference') return true;
    return this.docs.some((one) => doc.of.includes(one.id) && this.isBelow(one));
  }

  private isNothing(doc: Doc, seen: Map<string, Seen>): boolean {
    return this.differences(doc.id).length > 0 && this.due(doc, seen) === 0;
  }

  private async withdraw(doc: Doc, move: 'annul' | 'void'): Promise<boolean> {
    const can = (await this.app.get(`/v1/invoices/${doc.id}/can-annul`, { key: this.key })).body.data;
    const res = await this.post(
      `/invoices/${doc.id}/${move}`,
      move === 'annul' ? { revert_collections: true } : {},
    );
    const can_now = can.can_annul && (move === 'annul' || !can.requires_collection_reversal);
    assert.equal(res.status, can_now ? 200 : 409, `${JSON.stringify(can)} ${res.text}`);
    doc.is_withdrawn ||= res.status === 200;
    return res.status === 200;
  }

  async pay(one: Seen, amount: number): Promise<void> {
    const res = await this.post(`/invoices/${one.id}/payments`, {
      amount: amount / 100,
      payment_method: 'card',
    });
    assert.equal(
      res.status === 201,
      amount > 0 ? amount <= cents(one.pending_amount) : amount < 0 && amount >= cents(one.pending_amount),
      `${amount} ${res.text} ${JSON.stringify(one)}`,
    );
  }

  async reverse(one: Seen, payment: Payment): Promise<void> {
    const res = await this.post(`/invoices/${one.id}/payments/${payment.id}/reversal`, {
      reason: 'bounced_effect',
    });
    assert.equal(res.status, payment.is_reversed ? 409 : 200, `${res.text} ${JSON.stringify(one)}`);
  }

  /** A replay with a payment completes the invoice once, never with another invoice's payment. */
  private async replay(sent: object, one: Seen): Promise<void> {
    const res = await this.post('/invoices', { ...sent, payment: { method: 'cash' } });
    assert.equal(res.status, 200, res.text);
    const is_missing = one.payments.detail.length === 0 && one.pending_amount > 0;
    assert.equal(
      res.body.data.payments.detail.length,
      one.payments.detail.length + (is_missing ? 1 : 0),
      res.text,
    );
    if (is_missing) assert.deepEqual([res.body.data.status, res.body.data.pending_amount], ['paid', 0]);
  }

  async step([move, at]: Step, seen: Map<string, Seen>): Promise<void> {
    const quantity = 1 + (at % 3);
    const lines = [{ description: 'Trabajo', quantity, unit_price: 100, tax_rate: 21 }];
    const body = { lines, external_id: `w${this.count++}`, options: { issue: true } };
    const create = async (sent: object) => this.keep(await this.post('/invoices', sent), [], 'own', { sent });
    if (move === 'issue') return create({ ...body, client_id: this.client });
    if (move === 'ticket') return create({ ...body, type: 'F2' });
    if (move === 'free') return create({ ...body, type: 'F2', lines: [{ ...lines[0]!, unit_price: 0 }] });
    if (move === 'wait') {
      this.day += 1 + (at % 20);
      return;
    }
    const doc = this.docs[at % Math.max(1, this.docs.length)];
    if (!doc) return;
    const one = seen.get(doc.id)!;
    const correct = async (type: string, of?: object, cause?: string) => {
      const request = {
        correction: { type },
        ...(of ? { lines: [of] } : {}),
        ...(cause ? { type: cause } : {}),
      };
      const res = await this.post(`/invoices/${doc.id}/corrective`, request);
      // Without lines, nothing is left of it.
      if (type === 'differences' && !of && res.status === 201)
        assert.equal(cents(res.body.data.amount_due), 0 - this.due(doc, seen, invoicedBy), res.text);
      const moves_tax_alone = doc.moves_tax_alone || cause !== undefined;
      this.keep(res, [doc.id], type === 'differences' ? 'difference' : 'instead', { moves_tax_alone });
    };
    if (move === 'less') return correct('differences', { quantity: -1 });
    if (move === 'more') return correct('differences', { quantity: 1 });
    // Of a ticket without a recipient both are refused.
    if (move === 'bad_debt') return correct('differences', at % 2 ? undefined : { quantity: -1 }, 'R3');
    if (move === 'bad_debt_paid') return correct('differences', { quantity: 1 }, 'R2');
    if (move === 'undo') return correct('differences');
    if (move === 'instead') return correct('substitution', { quantity });
    if (move === 'full') {
      const other = this.docs[(at * 7 + 3) % this.docs.length]!;
      const ids = [...new Set([doc.id, other.id])];
      const request = { simplified_invoice_uuids: ids, client_id: this.client };
      return this.keep(await this.post('/invoices/substitute-simplified', request), ids, 'full');
    }
    const payments = one.payments.detail;
    if (move === 'replay' && doc.sent) return this.replay(doc.sent, one);
    if (move === 'pay_part') return this.pay(one, 100 + at);
    if (move === 'pay_all') return this.pay(one, Math.max(1, cents(one.pending_amount)));
    if (move === 'refund') return this.pay(one, at % 2 ? -100 - at : Math.min(-1, cents(one.pending_amount)));
    if (move === 'reverse' && payments.length > 0) return this.reverse(one, payments[at % payments.length]!);
    if (move === 'annul' || move === 'void') await this.withdraw(doc, move);
  }

  /** Pays everything due, gives back what is owed, returns everything paid, and withdraws everything, newest first. */
  async end(): Promise<void> {
    const today = await this.today();
    for (const one of (await this.check(today)).values())
      if (one.pending_amount !== 0) await this.pay(one, cents(one.pending_amount));
    for (const one of (await this.check(today)).values())
      for (const payment of one.payments.detail) await this.reverse(one, payment);
    await this.check(today);
    for (const doc of this.docs.toReversed())
      if (!doc.is_withdrawn)
        assert.ok(await this.withdraw(doc, 'void'), `no way out of ${doc.id} ${JSON.stringify(this.docs)}`);
    await this.check(today);
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const seen = await this.check(await this.today());
      await this.step(step, seen);
    }
    await this.end();
  }
}

test('given any moves of invoices, payments and correctives, then each sum is to pay once and there is no dead end', async (t) => {
  const app = await startApp(t);
  // The walks begin in 2027, and a sandbox's clock is never set back.
  app.clock.set('2026-12-01T10:00:00Z');
  const anyStep = fc.tuple(fc.constantFrom(...moves), fc.nat(1000));
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30, size: 'max' }), async (steps) => {
      const { test_key: key } = await app.given.company();
      assert.ok(key);
      const terms = { payment_preferences: { method: 'bank_transfer', terms_days: 10 } };
      const client = (await app.post('/v1/clients', { key, body: { name: 'Norte SL', ...terms } })).body.data
        .id;
      await new Walk(app, key, client).run([['issue', 1], ['ticket', 2], ['ticket', 0], ...steps]);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
