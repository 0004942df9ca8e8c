/** Purchases through the public API: moves, payments, edits, lists and papers that come twice. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Answer, type App, startApp } from '../../../test/harness.ts';
import { givenPurchases, purchasesPath as path } from '../../../test/support/purchases.ts';
import {
  assertFilters,
  assertPages,
  assertReadOnly,
  assertRefused,
  assertRoundTrip,
} from '../../../test/support/resource-checks.ts';
import { purchaseInvoicesOperations } from './index.ts';
import { purchaseStatuses, type Standing, statusOf } from './rules/status.ts';

type Doc = { id: string; lines: { id: string; linked_expenses: unknown }[] };

const scopes: Record<string, string> = {
  list_purchase_invoices: 'purchase_invoices:read',
  create_purchase_invoice: 'purchase_invoices:write',
  get_purchase_invoice: 'purchase_invoices:read',
  update_purchase_invoice: 'purchase_invoices:write',
  delete_purchase_invoice: 'purchase_invoices:delete',
  duplicate_purchase_invoice: 'purchase_invoices:write',
  mark_purchase_invoice_received: 'purchase_invoices:transition',
  mark_purchase_invoice_accounted: 'purchase_invoices:transition',
  mark_purchase_invoice_paid: 'purchase_invoices:transition',
  register_purchase_invoice_payment: 'purchase_invoices:transition',
  reverse_purchase_invoice_payment: 'purchase_invoices:transition',
  cancel_purchase_invoice: 'purchase_invoices:transition',
};

test('given the operations of purchases, then each needs its scope and is a tool', () => {
  assert.deepEqual(
    Object.fromEntries(purchaseInvoicesOperations.map(({ name, scope }) => [name, scope])),
    scopes,
  );
  assert.ok(purchaseInvoicesOperations.every(({ mcp }) => mcp));
});

const transfer = { payment_method: 'bank_transfer' };

type Desk = Awaited<ReturnType<typeof givenPurchases>> & { app: App };

const stories: readonly [title: string, run: (desk: Desk) => Promise<void>][] = [
  [
    'given a paper, when it is registered, then it is received, read and listed as created',
    async ({ app, key, post, supplier, paper, read, eventsOf }) => {
      const answer = await post(path, paper({ number: 'A-2026/881', expected_total: 121 }));
      assert.equal(answer.status, 201, answer.text);
      const { data } = answer.body;
      const { status, number, reception_number, total, deductible_total, deduct_on } = data;
      assert.deepEqual(
        { status, number, reception_number, total, deductible_total, deduct_on },
        {
          status: 'received',
          number: 'A-2026/881',
          reception_number: 'C2026-000001',
          total: 121,
          deductible_total: 21,
          deduct_on: '2026-01-14',
        },
      );
      assert.deepEqual(data.supplier, {
        id: supplier.id,
        name: 'Papelera del Sur',
        tax_id: 'B00000018',
        vat_id: null,
        address: null,
      });
      assert.equal('warnings' in answer.body, false);
      assert.deepEqual(await read(data.id), data);
      assert.deepEqual((await app.get(path, { key })).body.data, [data]);
      assert.deepEqual(await eventsOf(data.id), ['purchase_invoice.created', 'purchase_invoice.updated']);
    },
  ],
  [
    'given a draft, when it is received, accounted, paid and given back, then its status follows',
    async ({ app, key, post, put, done, supplier, at, read, eventsOf }) => {
      const draft = await done(path, {
        draft: true,
        lines: [{ description: 'Papel', unit_price: 100, tax_rate: 21 }],
      });
      assert.deepEqual([draft.status, draft.reception_number, draft.received_on], ['draft', null, null]);
      const { id } = draft;
      const step = async (word: string, body: object = {}) =>
        (await done(at(id, word), body)) as typeof draft;
      assertRefused(await post(at(id, '/mark-received')), 422, 'missing_required_param', 'supplier_id');
      for (const [word, body] of [
        ['/mark-accounted', {}],
        ['/mark-paid', transfer],
        ['/payments', { amount: 1, ...transfer }],
        ['/cancel', {}],
      ] as const)
        assertRefused(await post(at(id, word), body), 409, 'invalid_status_transition');
      await put(id, { supplier_id: supplier.id, number: 'B-7', issued_on: '2026-01-20' });
      const received = await step('/mark-received');
      assert.equal(received.status, 'received');
      assert.match(received.reception_number, /^C2\d{3}-\d{6}$/);
      assert.equal(received.received_on, received.deduct_on);
      assertRefused(await post(at(id, '/mark-received')), 409, 'invalid_status_transition');
      assert.equal((await step('/mark-accounted')).status, 'accounted');
      assertRefused(await put(id, { notes: 'x' }), 409, 'invalid_status_transition', 'notes');
      const part = await step('/payments', { amount: 21, ...transfer });
      assert.equal((await read(id)).pending_amount, 100);
      const paid = await step('/mark-paid', { ...transfer, reference: 'TRF' });
      assert.deepEqual([paid.status, paid.paid_amount, paid.payments.detail.length], ['paid', 121, 2]);
      assertRefused(await post(at(id, '/mark-paid'), transfer), 409, 'invalid_status_transition');
      const more = await post(at(id, '/payments'), { amount: 0.01, ...transfer });
      assertRefused(more, 422, 'business_rule_violation', 'amount');
      assertRefused(await post(at(id, '/cancel')), 409, 'invalid_status_transition');
      const word = `/payments/${part.id}/reversal`;
      const wrong = await post(at(id, word), { reason: 'issued_in_error' });
      assertRefused(wrong, 422, 'business_rule_violation', 'reason');
      const given_back = await step(word, { reason: 'recording_error' });
      assert.equal(given_back.is_reversed, true);
      assertRefused(
        await post(at(id, word), { reason: 'recording_error' }),
        409,
        'invalid_status_transition',
        'payment',
      );
      assert.deepEqual([(await read(id)).status, (await read(id)).pending_amount], ['accounted', 21]);
      // As many payments as a purchase may have. Those that were reversed count, since each answer shows them too.
      const copies = await app.sql<{ id: string }[]>`
        insert into purchase_invoice_payments
        select copy.* from purchase_invoice_payments p, (select gen_random_uuid() as id from generate_series(3, 500)) m,
               jsonb_populate_record(p, jsonb_build_object('id', m.id)) copy where p.id = ${part.id}
        returning id`;
      assertRefused(
        await post(at(id, '/payments'), { amount: 1, ...transfer }),
        422,
        'business_rule_violation',
      );
      const copied = copies.map((one) => one.id);
      await app.sql`delete from purchase_invoice_payments where id = any(${copied}::uuid[])`;
      assert.equal((await step('/mark-received')).status, 'received');
      assert.equal((await step('/mark-paid', transfer)).status, 'paid');
      assert.deepEqual(await eventsOf(id), [
        'purchase_invoice.created',
        'purchase_invoice.updated',
        'purchase_invoice.updated',
        'purchase_invoice.updated',
        'purchase_invoice.payment_registered',
        'purchase_invoice.payment_registered',
        'purchase_invoice.paid',
        'purchase_invoice.updated',
        'purchase_invoice.updated',
        'purchase_invoice.payment_registered',
        'purchase_invoice.paid',
      ]);
      const log = await app.get('/v1/audit-log', { key, query: { limit: '100' } });
      const moves = (log.body.data as { action: string; target: { id: string }; details: { to: string } }[])
        .filter((one) => one.target.id === id && one.action.startsWith('purchase_invoice.'))
        .map(({ action, details: { to } }) => `${action.slice('purchase_invoice.'.length)} ${to}`);
      assert.deepEqual(moves.reverse(), [
        'mark_received received',
        'mark_accounted accounted',
        'register_payment accounted',
        'mark_paid paid',
        'reverse_payment accounted',
        'mark_received received',
        'mark_paid paid',
      ]);
    },
  ],
  [
    'given a purchase without payments, when it is cancelled, then it keeps its number and only its labels change',
    async ({ app, key, put, done, register, at, eventsOf }) => {
      const { id, reception_number } = await register();
      const cancelled = await done(at(id, '/cancel'), { reason: 'Registrada dos veces' });
      assert.deepEqual([cancelled.status, cancelled.reception_number], ['cancelled', reception_number]);
      assert.equal(cancelled.pending_amount, 0);
      assertRefused(await put(id, { notes: 'x' }), 409, 'invalid_status_transition', 'notes');
      assert.equal((await put(id, { metadata: { a: '1' }, tags: ['t'] })).status, 200);
      assertRefused(await app.delete(at(id), { key }), 409, 'invalid_status_transition');
      assert.deepEqual((await eventsOf(id)).slice(2), [
        'purchase_invoice.cancelled',
        'purchase_invoice.metadata_changed',
        'purchase_invoice.updated',
      ]);
    },
  ],
  [
    'given a draft, when it is deleted, then no event says so',
    async ({ app, key, register, at, eventsOf }) => {
      const { id } = await register({ draft: true });
      assert.equal((await app.delete(at(id), { key })).status, 200);
      assert.equal((await app.get(at(id), { key })).status, 404);
      assert.deepEqual(await eventsOf(id), ['purchase_invoice.created']);
      const log = await app.get('/v1/audit-log', { key, query: { action: 'purchase_invoice.delete' } });
      assert.deepEqual(
        log.body.data.map((one: { target: object }) => one.target),
        [{ object: 'purchase_invoice', id }],
      );
    },
  ],
  [
    'given a purchase, when it is read and sent back, then nothing changes, also what was stated and forced',
    async ({ app, company, key, put, register, at }) => {
      const ticket = await register({
        kind: 'simplified',
        lines: [
          {
            description: 'Menú',
            quantity: 3,
            unit_price: 12.35,
            tax_rate: 10,
            non_deductible_reason: 'Atención',
          },
          { description: 'Agua', unit_price: 1.11, tax_rate: 10, expense_account: '629' },
        ],
        tax_breakdown: [{ tax_kind: 'vat', tax_rate: 10, tax: 3.83 }],
      });
      assert.equal(ticket.taxes_total, 3.83);
      assert.equal(ticket.lines[0].deductible_percent, 0);
      await assertRoundTrip(app, company, path, ticket.id);
      const full = (await put(ticket.id, { ...ticket, has_recipient_data: true })).body.data;
      assert.deepEqual([full.deductible_total, full.taxes_total], [3.83, 3.83]);
      assert.deepEqual(
        full.lines.map((line: { non_deductible_reason: string | null }) => line.non_deductible_reason),
        ['Atención', null],
      );
      const changed = (await put(ticket.id, { lines: [full.lines[0]] })).body.data;
      assert.equal(changed.taxes_total, 3.71, 'the stated tax was of other lines');
      await assertReadOnly(app, key, at(ticket.id), {
        reception_number: 'C1',
        status: 'paid',
        deductible_total: 1,
        paid_amount: 1,
      });
    },
  ],
  [
    'given what a supplier is used to, when a line does not say it, then it is taken',
    async ({ app, key, post, done, paper }) => {
      const usual = await done('/v1/suppliers', {
        name: 'Gestoría',
        tax_id: 'A58818501',
        default_vat_rate: 21,
        default_retention_rate: 15,
        default_discount: 10,
        payment_preferences: { method: 'bank_transfer', terms_days: 30 },
      });
      const body = paper({ supplier_id: usual.id, lines: [{ description: 'Asesoría', unit_price: 100 }] });
      assertRefused(await post(path, body), 422, 'missing_required_param', 'retention_kind');
      const made = await done(path, { ...body, retention_kind: 'professional' });
      const { subtotal, taxes_total, retention_total, amount_due, due_on } = made;
      assert.deepEqual(
        { subtotal, taxes_total, retention_total, amount_due, due_on },
        { subtotal: 90, taxes_total: 18.9, retention_total: 13.5, amount_due: 95.4, due_on: '2026-02-11' },
      );
      const kinds = async (more: object) =>
        (
          await done(path, {
            ...body,
            ...more,
            number: `K ${JSON.stringify(more).length}`,
            retention_kind: 'professional',
          })
        ).lines.map((one: { tax_kind: string; tax_rate: number }) => [one.tax_kind, one.tax_rate]);
      const said = { lines: [{ description: 'Asesoría', unit_price: 100, tax_rate: 21 }] };
      await app.put('/v1/account/company', { key, body: { default_vat: { tax_kind: 'igic' } } });
      assert.deepEqual(await kinds({}), [['igic', 21]]);
      assert.deepEqual(await kinds(said), [['vat', 21]]);
      await app.put('/v1/account/company', { key, body: { default_vat: { tax_kind: 'vat' } } });
    },
  ],
  [
    'given a paper that is here, when it comes again, then it is refused, warned of, or taken once',
    async ({ app, key, post, put, done, paper, register, at }) => {
      const first = await register({ number: 'Dup 1' });
      const again = paper({ number: 'DUP 1' });
      assertRefused(await post(path, again), 422, 'business_rule_violation', 'number');
      assertRefused(await post(path, { ...again, draft: true }), 422, 'business_rule_violation', 'number');
      const other_day = await post(path, { ...again, issued_on: '2026-01-13' });
      assert.deepEqual(other_day.body.warning_codes, ['possible_duplicate']);
      assert.equal(other_day.body.warnings.length, 1);
      const moved = await put(other_day.body.data.id, { issued_on: '2026-01-12' });
      assertRefused(moved, 422, 'business_rule_violation', 'number');
      await done(at(first.id, '/cancel'));
      assert.equal((await post(path, again)).status, 201);
      const both = paper({ number: 'At once' });
      const answers = await Promise.all([post(path, both), post(path, both)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
      const accented = await register({ number: ' Ñ-1 '.normalize('NFD') });
      assert.equal(accented.number, 'Ñ-1');
      assertRefused(await post(path, paper({ number: 'ñ-1' })), 422, 'business_rule_violation', 'number');
      const nfd = 'Ñ-1'.normalize('NFD');
      for (const query of [{ number: nfd }, { number: 'Ñ-1' }, { 'number[in]': `${nfd},x` }])
        assert.deepEqual((await app.get(path, { key, query })).body.data, [accented]);
      // As a version before kept it.
      await app.sql`update purchase_invoices set supplier_number = ${nfd} where id = ${accented.id}`;
      for (const number of ['ñ-1', nfd])
        assertRefused(await post(path, paper({ number })), 422, 'business_rule_violation', 'number');
      const kept = (await app.get(path, { key, query: { number: 'Ñ-1' } })).body.data;
      assert.deepEqual([kept[0]?.id, kept.length], [accented.id, 1]);
      const later = await post(path, paper({ number: 'Ñ-1', issued_on: '2026-01-13' }));
      assert.deepEqual(later.body.warning_codes, ['possible_duplicate'], later.text);
      assert.equal((await put(accented.id, { number: nfd, notes: 'Otra' })).status, 200);
      const copy = await done(at(first.id, '/duplicate'));
      const { status, number, issued_on, reception_number, total } = copy;
      assert.deepEqual(
        { status, number, issued_on, reception_number, total },
        { status: 'draft', number: null, issued_on: null, reception_number: null, total: 121 },
      );
    },
  ],
  [
    'given another currency, when the card is charged, then what it took in euros is kept',
    async ({ post, done, register, at }) => {
      const dollars = await register({ currency: 'USD', exchange_rate: 0.92, due_on: '2026-01-20' });
      assert.equal(dollars.deductible_total, 19.32);
      const word = at(dollars.id, '/payments');
      const payment = await done(word, { amount: 121, settled_amount: 112.4, payment_method: 'card' });
      assert.equal(payment.settled_amount, 112.4);
      const euros = await register();
      const refused = await post(at(euros.id, '/payments'), {
        amount: 1,
        settled_amount: 1,
        payment_method: 'card',
      });
      assertRefused(refused, 422, 'business_rule_violation', 'settled_amount');
      const tomorrow = { amount: 1, payment_method: 'card', payment_date: '2099-01-01' };
      assertRefused(
        await post(at(euros.id, '/payments'), tomorrow),
        422,
        'business_rule_violation',
        'payment_date',
      );
      const over = { amount: 121.01, payment_method: 'card' };
      const too_much = await post(at(euros.id, '/payments'), over);
      assertRefused(too_much, 422, 'business_rule_violation', 'amount');
      assert.match(too_much.body.error.message, /el pago supera lo pendiente de la factura: 121,00\.$/);
    },
  ],
  [
    'given a corrective larger than its original, when the supplier gives it back, then it is paid',
    async ({ post, done, paper, register, at }) => {
      const original = await register();
      await done(at(original.id, '/mark-accounted'));
      const lines = [{ description: 'Abono', quantity: -2, unit_price: 100, tax_rate: 21 }];
      const corrects = {
        purchase_invoice_id: original.id,
        number: original.number,
        issued_on: original.issued_on,
      };
      const made = await register({ kind: 'corrective', corrects, lines });
      assert.deepEqual([made.amount_due, made.deductible_total, made.status], [-242, -42, 'received']);
      const paid = await done(at(made.id, '/mark-paid'), transfer);
      assert.deepEqual([paid.status, paid.paid_amount], ['paid', -242]);
      const unknown = { ...corrects, purchase_invoice_id: made.lines[0].id };
      const refused = await post(path, paper({ kind: 'corrective', corrects: unknown, lines }));
      assertRefused(refused, 422, 'parameter_invalid', 'corrects.purchase_invoice_id');
    },
  ],
  [
    'given a supplier on cash accounting, when it is paid in parts, then as much is deducted',
    async ({ done, register, at, read }) => {
      // Within the year after the operation.
      const today = new Date().toISOString().slice(0, 10);
      const made = await register({ cash_accounting: true, issued_on: today, received_on: today });
      assert.equal(made.deductible_total, 0);
      await done(at(made.id, '/payments'), { amount: 60.5, ...transfer });
      assert.equal((await read(made.id)).deductible_total, 10.5);
      assert.equal((await done(at(made.id, '/mark-paid'), transfer)).deductible_total, 21);
      const old = await register({
        cash_accounting: true,
        issued_on: '2020-01-01',
        received_on: '2020-01-02',
      });
      assert.equal(old.deductible_total, 21, 'the year after the operation has ended');
    },
  ],
  [
    'given a received purchase, when an edit brings or takes its retention, then the kind is asked of what it becomes',
    async ({ register, put }) => {
      const { id } = await register();
      const line = { description: 'Papel', unit_price: 100, tax_rate: 21 };
      const withheld = { lines: [{ ...line, retention_rate: 15 }] };
      assertRefused(await put(id, withheld), 422, 'missing_required_param', 'retention_kind');
      assert.equal((await put(id, { ...withheld, retention_kind: 'professional' })).status, 200);
      const none = await put(id, { lines: [{ ...line, retention_rate: null }], retention_kind: null });
      assert.deepEqual([none.status, none.body.data?.retention_total], [200, 0], none.text);
      assertRefused(
        await put(id, { received_on: '2025-12-20', issued_on: '2025-12-01' }),
        422,
        'business_rule_violation',
        'received_on',
      );
    },
  ],
  [
    'given a stated tax, when prices begin to include it, then what no rounding explains is counted anew',
    async ({ register, put }) => {
      const { id } = await register({ tax_breakdown: [{ tax: 21.01 }] });
      const { data } = (await put(id, { prices_include_tax: true })).body;
      assert.deepEqual([data.subtotal, data.taxes_total, data.total], [82.64, 17.36, 100]);
      const other = await register({ tax_breakdown: [{ tax: 21.01 }] });
      const reversed = (await put(other.id, { operation: 'reverse_charge' })).body.data;
      assert.deepEqual([reversed.total, reversed.self_charged_total], [100, 21]);
    },
  ],
  [
    'given lines that cancel each other out, when a tax is stated, then lines and document add up alike',
    async ({ register }) => {
      const line = { description: 'Papel', unit_price: 100, tax_rate: 21 };
      const { lines, total } = await register({
        lines: [line, { ...line, quantity: -1 }],
        tax_breakdown: [{ tax: 0.01 }],
      });
      assert.equal(total, 0.01);
      assert.deepEqual(
        lines.map(({ taxes }: { taxes: number }) => taxes),
        [21.01, -21],
      );
    },
  ],
  [
    'given cash accounting, when the operation is not a domestic supply, then it is refused (LIVA, art. 163 duodecies)',
    async ({ post, paper }) => {
      for (const more of [{ operation: 'reverse_charge' }, { operation: 'import' }, { kind: 'customs' }])
        assertRefused(
          await post(path, paper({ ...more, cash_accounting: true })),
          422,
          'business_rule_violation',
          'cash_accounting',
        );
    },
  ],
  [
    'given a tax that is no VAT, then it is not deducted as VAT, nor charged by the company itself',
    async ({ register }) => {
      for (const tax_kind of ['other', 'igic', 'ipsi'])
        for (const operation of ['domestic', 'reverse_charge']) {
          const line = { description: 'Seguro', unit_price: 100, tax_kind, tax_rate: 7 };
          const made = await register({ operation, lines: [line] });
          assert.deepEqual(
            [made.total, made.deductible_total, made.self_charged_total],
            [107, 0, 0],
            `${tax_kind} ${operation}`,
          );
        }
    },
  ],
  [
    'given a known external_id, when another total comes with it, then it is no replay',
    async ({ post, paper }) => {
      const body = paper({ external_id: 'P-1' });
      const first = await post(path, body);
      assert.equal(first.status, 201, first.text);
      assert.equal((await post(path, { ...body, kind: 'invoice' })).status, 200);
      for (const more of [
        { kind: 'invoice', cash_accounting: false },
        { notes: 'x', tags: ['y'] },
      ])
        assert.equal((await post(path, { ...body, ...more })).status, 200, JSON.stringify(more));
      for (const more of [
        { operation: 'reverse_charge' },
        { tax_breakdown: [{ tax: 21.02 }] },
        { kind: 'simplified', has_recipient_data: true },
        { kind: 'corrective', corrects: { number: 'A-0' } },
        { number: 'Z-9' },
        { issued_on: '2026-01-11' },
        { cash_accounting: true },
        { supplier_id: null, kind: 'simplified' },
      ])
        assert.equal((await post(path, { ...body, ...more })).status, 409, JSON.stringify(more));
      assertRefused(
        await post(path, { ...body, expected_total: 999 }),
        422,
        'amount_reconciliation_failed',
        'expected_total',
      );
    },
  ],
  [
    'given a draft that was written before another paper with its number, when it is received, then it says that it may be the same',
    async ({ post, paper, done, register, at }) => {
      const body = paper({ number: 'D-1', draft: true });
      const [draft, other] = [await done(path, body), await done(path, paper({ draft: true }))];
      await register({ number: 'd-1', issued_on: '2026-01-11' });
      const received = await post(at(draft.id, '/mark-received'));
      assert.deepEqual(
        [received.status, received.body.warning_codes],
        [200, ['possible_duplicate']],
        received.text,
      );
      assert.equal((await post(at(other.id, '/mark-received'))).body.warning_codes, undefined);
    },
  ],
  [
    'given a payment with labels, when it comes again, then it is the one that exists, and another one with its key is refused',
    async ({ register, post, at, read }) => {
      const [{ id }, { id: other }] = [await register(), await register()];
      const labels = { external_id: 'pago-1', metadata: { caja: '3' }, notes: 'En mano' };
      const pay = (more: object = {}, of = id) =>
        post(at(of, '/payments'), { ...transfer, amount: 20, ...labels, ...more });
      const made = await pay();
      assert.equal(made.status, 201, made.text);
      const { external_id, metadata, notes, payment_date } = made.body.data;
      assert.deepEqual({ external_id, metadata, notes }, labels);
      for (const more of [{}, { payment_date }, { payment_date: null }, { notes: undefined }]) {
        const again = await pay(more);
        assert.deepEqual(
          [again.status, again.headers['idempotent-replayed'], again.body],
          [200, 'true', made.body],
        );
      }
      const both = await Promise.all([pay({ external_id: 'pago-2' }), pay({ external_id: 'pago-2' })]);
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201]);
      for (const more of [
        { amount: 21 },
        { payment_method: 'card' },
        { payment_date: '2026-01-02' },
        { reference: 'TRF 9' },
        { notes: 'Otra' },
        { metadata: { caja: '4' } },
        { metadata: null },
      ])
        assertRefused(await pay(more), 409, 'idempotency_key_reused', 'external_id');
      assertRefused(await pay({}, other), 409, 'idempotency_key_reused', 'external_id');
      const { paid_amount, payments } = await read(id);
      assert.deepEqual([paid_amount, payments.detail[0]], [40, made.body.data]);
      const reversed = await post(at(id, `/payments/${made.body.data.id}/reversal`), {
        reason: 'recording_error',
      });
      assert.equal(reversed.body.data.external_id, 'pago-1');
    },
  ],
  [
    'given a draft, when a line would charge it on, then it is no expense yet',
    async ({ post, paper, done, register }) => {
      const draft = await done(path, paper({ draft: true }));
      const line = { description: 'Gasto', unit_price: 100, tax_rate: 21 };
      const charging = (id: string) => post('/v1/quotes', { lines: [{ ...line, linked_expense_ids: [id] }] });
      assertRefused(await charging(draft.id), 422, 'parameter_invalid', 'lines.0.linked_expense_ids.0');
      assert.equal((await charging((await register()).id)).status, 201);
    },
  ],
  [
    'given a corrective in dollars, when the supplier pays back, then the euros have the sign of the payment',
    async ({ register, post, at }) => {
      const { id } = await register({
        kind: 'corrective',
        corrects: { number: 'A-0' },
        currency: 'USD',
        exchange_rate: 0.9,
        lines: [{ description: 'Papel', unit_price: -100, tax_rate: 21 }],
      });
      const pay = (settled_amount: number) =>
        post(at(id, '/payments'), { ...transfer, amount: -121, settled_amount });
      assertRefused(await pay(108.9), 422, 'business_rule_violation', 'settled_amount');
      const paid = await pay(-108.9);
      assert.deepEqual([paid.status, paid.body.data?.settled_amount], [201, -108.9], paid.text);
    },
  ],
  [
    'given a paper of nothing, when it is received at once, later, or becomes one by an edit, then it is paid',
    async ({ register, done, paper, put, at, eventsOf }) => {
      const nothing = { lines: [{ description: 'Muestra', unit_price: 0, tax_rate: 21 }] };
      const made = await register(nothing);
      const draft = await done(path, paper({ ...nothing, draft: true }));
      await done(at(draft.id, '/mark-received'));
      const edited = await register();
      assert.equal((await put(edited.id, nothing)).body.data.status, 'paid');
      for (const { id } of [made, draft, edited])
        assert.equal((await eventsOf(id)).filter((type) => type === 'purchase_invoice.paid').length, 1);
    },
  ],
  [
    'given a paper that comes after its four years, when no day of deduction is said, then it is the last one, with a warning',
    async ({ post, done, paper, put, at }) => {
      const late = { issued_on: '2021-12-30', operation_on: '2021-12-20', received_on: '2026-01-14' };
      const told = ({ status, body }: Answer) => [status, body.data?.deduct_on, body.warning_codes];
      const warned = ['2025-12-20', ['deduction_period_ends']];
      const first = await post(path, paper(late));
      assert.deepEqual(told(first), [201, ...warned]);
      assert.equal(first.body.warnings.length, 1);
      assert.deepEqual(told(await post(path, paper({ ...late, deduct_on: '2025-12-20' }))), [
        201,
        '2025-12-20',
        undefined,
      ]);
      const draft = await done(path, paper({ ...late, received_on: null, draft: true }));
      assert.equal(draft.deduct_on, null);
      const received = await post(at(draft.id, '/mark-received'));
      assert.deepEqual(told(received), [200, ...warned]);
      const { id } = await done(path, paper());
      assert.deepEqual(told(await put(id, late)), [200, ...warned]);
      assert.deepEqual(told(await put(id, { operation_on: '2023-01-02' })), [200, '2026-01-14', undefined]);
    },
  ],
  [
    'given a received intra-Community purchase, when its supplier loses the VAT id, then the paper keeps it, and a draft does not',
    async ({ app, key, done, register, put, read }) => {
      const { id: supplier_id } = await done('/v1/suppliers', { name: 'Papier', vat_id: 'DE811569869' });
      const of = { supplier_id, operation: 'intra_community_goods' };
      const [received, draft] = [await register(of), await register({ ...of, draft: true })];
      assert.equal(draft.supplier.vat_id, 'DE811569869');
      await app.put(`/v1/suppliers/${supplier_id}`, { key, body: { vat_id: null, name: 'Papier neu' } });
      const { vat_id, name } = (await read(received.id)).supplier;
      assert.deepEqual([vat_id, name], ['DE811569869', 'Papier']);
      assert.equal((await read(draft.id)).supplier.vat_id, null);
      // A content edit takes the supplier of now.
      assertRefused(await put(received.id, { notes: 'x' }), 422, 'missing_required_param', 'supplier_id');
      assert.equal((await put(received.id, { tags: ['x'] })).status, 200);
      assert.equal((await read(received.id)).supplier.vat_id, 'DE811569869');
    },
  ],
  [
    'given an intra-Community purchase, when its supplier has a Spanish VAT id alone, then it is missing as without one, and another state’s counts wherever it stands',
    async ({ done, post, paper, register }) => {
      const spanish = { name: 'Papel', vat_id: 'ES B12345674' };
      const { id: supplier_id } = await done('/v1/suppliers', spanish);
      const of = { supplier_id, operation: 'intra_community_services' };
      assertRefused(await post(path, paper(of)), 422, 'missing_required_param', 'supplier_id');
      const alternative_id = { type: 'vat_id', value: 'DE811569869' };
      const both = await done('/v1/suppliers', { ...spanish, alternative_id });
      assert.equal((await register({ ...of, supplier_id: both.id })).supplier.vat_id, 'DE811569869');
    },
  ],
  [
    'given a supplier on a purchase, even a draft, when it is deleted, then it is archived, takes no other paper, and this one stays',
    async ({ app, key, post, done, paper, register, put, at }) => {
      for (const draft of [true, false]) {
        const { id: supplier_id } = await done('/v1/suppliers', { name: 'Imprenta' });
        const { id } = await register({ supplier_id, draft });
        assert.equal((await app.delete(`/v1/suppliers/${supplier_id}`, { key })).status, 200);
        const { data } = (await app.get(`/v1/suppliers/${supplier_id}`, { key })).body;
        assert.equal(data?.is_active, false);
        assertRefused(await post(path, paper({ supplier_id })), 422, 'parameter_invalid', 'supplier_id');
        assert.equal((await put(id, { notes: 'Sigue', supplier_id })).status, 200);
        if (draft) assert.equal((await post(at(id, '/mark-received'))).status, 200);
      }
    },
  ],
  [
    'given a series of purchases, when a paper takes its number, then it is told with it, and the series stays and closes as any',
    async ({ app, key, post, done, paper, register, at, company }) => {
      const { id: series_id } = await done('/v1/series', { code: 'CX', document_type: 'purchase_invoice' });
      const draft = await register({ draft: true, series_id });
      const { id } = await register({ series_id });
      const { body } = await app.get('/v1/events', { key, query: { aggregate_id: series_id } });
      assert.deepEqual(
        body.data.map(({ type, data }: { type: string; data: object }) => [type, data]),
        [
          ['series.number_consumed', { series: { id: series_id }, purchase_invoice: { id } }],
          ['series.created', { series: { id: series_id } }],
        ],
      );
      assertRefused(await app.delete(`/v1/series/${series_id}`, { key }), 409, 'invalid_status_transition');
      await done(`/v1/series/${series_id}/archive`);
      assertRefused(await post(path, paper({ series_id })), 422, 'business_rule_violation', 'series_id');
      const receive = () => post(at(draft.id, '/mark-received'));
      assertRefused(await receive(), 422, 'business_rule_violation', 'series_id');
      await done(`/v1/series/${series_id}/unarchive`);
      assert.equal((await receive()).status, 200);
      const of_sales = await app.get('/v1/series', { key, query: { document_type: 'quote' } });
      const wrong = paper({ series_id: of_sales.body.data[0].id });
      assertRefused(await post(path, wrong), 422, 'business_rule_violation', 'series_id');
      assert.deepEqual(await app.eventTypes(company, draft.id), [
        'purchase_invoice.created',
        'purchase_invoice.updated',
      ]);
    },
  ],
  [
    'given a product with choices, when a paper names it, then it must be one that is sold, and stays as it was',
    async ({ app, key, post, done, paper, register, put }) => {
      const value = (name: string) => ({ values: [{ attribute: 'Color', value: name }] });
      const product = await done('/v1/products', {
        name: 'Camisa',
        unit_price: 10,
        attributes: [{ name: 'Color', values: [{ name: 'Rojo' }, { name: 'Azul' }] }],
        variants: [value('Rojo'), value('Azul')],
        presentations: [{ name: 'Caja', factor: 12, unit: 'caja' }],
        option_groups: [{ name: 'Tinta', is_required: true, values: [{ name: 'Una' }, { name: 'Dos' }] }],
      });
      const other = await done('/v1/products', { name: 'Gorra' });
      const [red, blue] = product.variants;
      const [one, two] = product.option_groups[0].values.map(({ id }: { id: string }) => ({ value_id: id }));
      const bought = { product_id: product.id, variant_id: red.id, options: [one] };
      const priced = { unit_price: 90, tax_rate: 21 };
      const cases: [line: object, code: string, member: string][] = [
        [{ variant_id: undefined, ...priced }, 'business_rule_violation', 'variant_id'],
        [{ options: [], ...priced }, 'business_rule_violation', 'options'],
        [{ options: [one, two], ...priced }, 'parameter_invalid', 'options.1'],
        [{ product_id: other.id, ...priced }, 'parameter_invalid', 'variant_id'],
        // The paper says what it cost.
        [{ tax_rate: 21 }, 'missing_required_param', 'unit_price'],
      ];
      for (const [more, code, member] of cases) {
        const refused = await post(path, paper({ lines: [{ ...bought, ...more }] }));
        assertRefused(refused, 422, code, `lines.0.${member}`);
        assert.equal(refused.body.error.line_index, 0);
      }
      const made = await register({ lines: [{ ...bought, ...priced }] });
      const [line] = made.lines;
      assert.deepEqual(
        [line.description, line.unit, line.variant, line.presentation.name, line.options[0].value.name],
        ['Camisa', 'caja', { id: red.id, name: 'Rojo' }, 'Caja', 'Una'],
      );
      const taken = await app.put(`/v1/products/${product.id}`, {
        key,
        body: { variants: [{ id: blue.id }], presentations: [], option_groups: [] },
      });
      const left = (list: { id: string; is_active: boolean }[]) =>
        list.map(({ id, is_active }) => [id, is_active]);
      const { variants, presentations, option_groups } = taken.body.data;
      assert.deepEqual(
        [left(variants), left(presentations), left(option_groups[0].values)],
        [
          [
            [blue.id, true],
            [red.id, false],
          ],
          [[line.presentation.id, false]],
          [[one.value_id, false]],
        ],
      );
      const kept = await put(made.id, { lines: [{ id: line.id, quantity: 2 }] });
      assert.deepEqual(kept.body.data.lines[0].variant, line.variant, kept.text);
      const again = await post(path, paper({ lines: [{ ...bought, ...priced }] }));
      assertRefused(again, 422, 'business_rule_violation', 'lines.0.variant_id');
    },
  ],
  [
    'given series that begin anew each year or month, when a paper of a new one is received, then it is told',
    async ({ register, done, paper, at, eventsOf }) => {
      const december = { issued_on: '2025-12-01', received_on: '2025-12-31' };
      for (const [code, reset, format] of [
        ['R', 'year', '{code}{year}-{number:6}'],
        ['M', 'month', '{code}{yy}{month}-{number:4}'],
      ] as const)
        for (const way of ['at once', 'later']) {
          const series = await done('/v1/series', {
            code: `${code}${way.length}-`,
            document_type: 'purchase_invoice',
            format,
            reset,
          });
          const series_id = series.id;
          await register({ ...december, series_id });
          if (way === 'at once') await register({ series_id });
          else await done(at((await done(path, paper({ series_id, draft: true }))).id, '/mark-received'));
          assert.equal(
            (await eventsOf(series_id)).filter((type) => type === `series.${reset}_reset`).length,
            1,
            `${reset} ${way}`,
          );
        }
    },
  ],
];

test('given purchases, when they are worked on, then each does what its stage allows', async (t) => {
  const app = await startApp(t);
  const desk = { app, ...(await givenPurchases(app)) };
  for (const [title, run] of stories) await t.test(title, () => run(desk));
  const rows = await app.sql<(Standing & { status: string })[]>`
    select status, number, amount_due, paid_amount, accounted_at, cancelled_at from purchase_invoices
     where company_id = ${desk.company.company_id}`;
  for (const row of rows) assert.equal(row.status, statusOf(row), 'code and database derive one status');
  assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(purchaseStatuses));
});

test('given purchases, when sales charge them on, then new ones are checked and stored ones are kept', async (t) => {
  const app = await startApp(t);
  const { key, post, done, register, at } = await givenPurchases(app);
  const { id, number } = await register();
  const gone = await register();
  await done(at(gone.id, '/cancel'));
  const other = await givenPurchases(app);
  const foreign = await other.register();
  const client = await done('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    email: 'a@example.com',
  });
  const line = { description: 'Porte', unit_price: 10, tax_rate: 21, linked_expense_ids: [id] };
  const calendar = { name: 'Portes', frequency: 'monthly', starts_on: '2098-01-01' };
  const made = new Map<string, Doc>();
  for (const [kind, more] of [
    ['invoices', {}],
    ['quotes', {}],
    ['proformas', {}],
    ['delivery_notes', {}],
    ['recurring_invoices', calendar],
  ] as const) {
    const body = { ...more, client_id: client.id, lines: [line] };
    made.set(kind, await done(`/v1/${kind}`, body));
    assert.deepEqual(made.get(kind)!.lines[0]!.linked_expenses, [{ id, number }], kind);
    for (const wrong of [gone.id, foreign.id, client.id]) {
      const lines = [{ ...line, linked_expense_ids: [id, wrong] }];
      const param = 'lines.0.linked_expense_ids.1';
      assertRefused(await post(`/v1/${kind}`, { ...body, lines }), 422, 'parameter_invalid', param);
    }
  }
  await done(at(id, '/cancel'));
  for (const [kind, doc] of made) {
    const edit = (lines: unknown[]) => app.put(`/v1/${kind}/${doc.id}`, { key, body: { lines } });
    const kept = await edit([{ id: doc.lines[0]!.id, quantity: 2, linked_expense_ids: [id] }]);
    assert.deepEqual(kept.body.data.lines[0].linked_expenses, [{ id, number }], kind);
    assertRefused(await edit([line]), 422, 'parameter_invalid', 'lines.0.linked_expense_ids.0');
  }
});

test('given a company that exists, when the database is brought up to date, then it has the series, with a free code', async (t) => {
  const app = await startApp(t);
  const { company, register, done } = await givenPurchases(app);
  await app.sql`delete from series where company_id = ${company.company_id} and document_type = 'purchase_invoice'`;
  await done('/v1/series', { code: 'C', document_type: 'quote' });
  const migration = readFileSync(
    new URL('../../../migrations/0041_purchase_invoices.sql', import.meta.url),
    'utf8',
  );
  const block = migration.slice(migration.indexOf('do $$'));
  await app.sql.begin((sql) => sql.unsafe(block));
  const [made] = await app.sql`
    select id, name from series where company_id = ${company.company_id} and document_type = 'purchase_invoice' and is_default`;
  assert.equal(made?.name, 'Facturas recibidas');
  const { series } = await register();
  assert.deepEqual(series, { id: made!.id, code: 'CC' });
  assert.match(series.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

test('given a company of before purchases, when its first one is registered, then its series is made with a free code', async (t) => {
  const app = await startApp(t);
  const { company, post, paper, done } = await givenPurchases(app);
  await app.sql`delete from series where company_id = ${company.company_id} and document_type = 'purchase_invoice'`;
  await done('/v1/series', { code: 'C', document_type: 'quote' });
  const answers = await Promise.all([post(path, paper()), post(path, paper({ draft: true }))]);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.data?.series?.code]),
    [
      [201, 'CC'],
      [201, 'CC'],
    ],
  );
});

const cases: [title: string, more: object, code: string, param: string][] = [
  ['no supplier', { supplier_id: null }, 'missing_required_param', 'supplier_id'],
  ['no number', { number: null }, 'missing_required_param', 'number'],
  ['no day', { issued_on: null }, 'missing_required_param', 'issued_on'],
  ['received tomorrow', { received_on: '2099-01-01' }, 'business_rule_violation', 'received_on'],
  ['received before it was issued', { received_on: '2026-01-11' }, 'business_rule_violation', 'received_on'],
  ['due before it was issued', { due_on: '2026-01-11' }, 'business_rule_violation', 'due_on'],
  ['deducted before it was received', { deduct_on: '2026-01-13' }, 'business_rule_violation', 'deduct_on'],
  ['deducted 4 years and a day later', { deduct_on: '2030-01-13' }, 'business_rule_violation', 'deduct_on'],
  ['a total that is not', { expected_total: 121.01 }, 'amount_reconciliation_failed', 'expected_total'],
  ['no rate of exchange', { currency: 'USD' }, 'missing_required_param', 'exchange_rate'],
  ['a currency that is none', { currency: 'XXZ', exchange_rate: 1 }, 'parameter_invalid', 'currency'],
  [
    'a rate of exchange beyond all amounts',
    { currency: 'USD', exchange_rate: 999999999999 },
    'parameter_invalid',
    'exchange_rate',
  ],
  [
    'customs of no import',
    { kind: 'customs', operation: 'domestic' },
    'business_rule_violation',
    'operation',
  ],
  [
    'a receipt of farming from abroad',
    { kind: 'agricultural_receipt', operation: 'import' },
    'business_rule_violation',
    'operation',
  ],
  ['a correction of a plain invoice', { corrects: { number: '1' } }, 'business_rule_violation', 'corrects'],
  ['a corrective of nothing', { kind: 'corrective' }, 'missing_required_param', 'corrects'],
  [
    'a full invoice without our data',
    { has_recipient_data: false },
    'business_rule_violation',
    'has_recipient_data',
  ],
  [
    'intra-Community without VAT id',
    { operation: 'intra_community_goods' },
    'missing_required_param',
    'supplier_id',
  ],
  [
    'prices with a tax that is not charged',
    { operation: 'reverse_charge', prices_include_tax: true },
    'business_rule_violation',
    'prices_include_tax',
  ],
  [
    'a stated tax a euro off',
    { tax_breakdown: [{ tax_rate: 21, tax: 22 }] },
    'amount_reconciliation_failed',
    'tax_breakdown.0.tax',
  ],
  [
    'a stated base a euro off',
    { tax_breakdown: [{ base: 99, tax: 21 }] },
    'amount_reconciliation_failed',
    'tax_breakdown.0.base',
  ],
  [
    'a stated tax of no line',
    { tax_breakdown: [{ tax_rate: 10, tax: 21 }] },
    'parameter_invalid',
    'tax_breakdown.0',
  ],
  [
    'a stated tax that is not charged',
    { operation: 'reverse_charge', tax_breakdown: [{ tax: 21 }] },
    'amount_reconciliation_failed',
    'tax_breakdown.0.tax',
  ],
  ['no lines', { lines: [] }, 'parameter_invalid', 'lines'],
  ['no rate', { lines: [{ description: 'x', unit_price: 1 }] }, 'missing_required_param', 'lines.0.tax_rate'],
  [
    'no price',
    { lines: [{ description: 'x', tax_rate: 21 }] },
    'missing_required_param',
    'lines.0.unit_price',
  ],
];

const line_cases: [title: string, line: object, code: string, member: string][] = [
  ['101 per cent', { deductible_percent: 101 }, 'parameter_invalid', 'deductible_percent'],
  [
    'an investment good of 3,005.05',
    { unit_price: 3005.05, is_investment_good: true },
    'business_rule_violation',
    'is_investment_good',
  ],
  [
    'two goods of 3,005.05',
    { quantity: 2, unit_price: 3005.05, is_investment_good: true },
    'business_rule_violation',
    'is_investment_good',
  ],
  ['compensation on an invoice', { tax_kind: 'compensation' }, 'business_rule_violation', 'tax_kind'],
  ['reverse charge said of a line', { qualification: 'S2' }, 'parameter_invalid', 'qualification'],
  ['a rate of what is exempt', { exemption_reason: 'E1' }, 'business_rule_violation', 'tax_rate'],
  [
    'surcharge without VAT',
    { tax_kind: 'igic', surcharge_rate: 5.2 },
    'business_rule_violation',
    'surcharge_rate',
  ],
  ['expenses charged on', { linked_expense_ids: [] }, 'parameter_invalid', 'linked_expense_ids'],
];

test('given amounts that are not those of the lines, when they are refused, then what the lines give is written as in Spanish', async (t) => {
  const app = await startApp(t);
  const { post, paper } = await givenPurchases(app);
  const lines = [{ description: 'x', unit_price: 1000.5, tax_rate: 21 }];
  for (const [wrong, told] of [
    [{ expected_total: 1 }, 'el total es 1.210,61.'],
    [{ tax_breakdown: [{ tax: 1 }] }, 'las líneas dan una cuota de 210,11.'],
    [{ tax_breakdown: [{ base: 1, tax: 210.11 }] }, 'las líneas dan una base de 1.000,50.'],
  ] as const) {
    const { body } = await post(path, paper({ lines, ...wrong }));
    assert.equal(body.error.message, `Los importes no cuadran: ${told}`);
  }
});

test('given a paper that cannot be, when it is registered, then it is refused by name', async (t) => {
  const app = await startApp(t);
  const { key, post, paper, done } = await givenPurchases(app);
  const client = await done('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' });
  const of_client: (typeof cases)[number] = [
    'a client',
    { supplier_id: client.id },
    'parameter_invalid',
    'supplier_id',
  ];
  for (const [title, more, code, param] of [of_client, ...cases])
    await t.test(title, async () => assertRefused(await post(path, paper(more)), 422, code, param));
  for (const [title, line, code, member] of line_cases)
    await t.test(title, async () => {
      const lines = [{ description: 'x', unit_price: 100, tax_rate: 21, ...line }];
      assertRefused(await post(path, paper({ lines })), 422, code, `lines.0.${member}`);
    });
  assert.deepEqual((await app.get(path, { key })).body.data, [], 'nothing was registered');
});

test('given purchases of all sorts, when they are listed, then each filter and order finds its own', async (t) => {
  const app = await startApp(t);
  const { key, done, register, at, supplier } = await givenPurchases(app);
  const car = { description: 'Furgoneta', unit_price: 20000, tax_rate: 21, is_investment_good: true };
  const a = await register({ number: 'F-1', due_on: '2026-02-01', tags: ['papel'], lines: [car] });
  const b = await register({ number: 'F-2', issued_on: '2026-01-10', operation: 'reverse_charge' });
  const c = await register({ kind: 'simplified', supplier_id: null, due_on: '2099-01-01' });
  const d = await register({ draft: true, issued_on: null, received_on: null });
  await done(at(b.id, '/mark-accounted'));
  const paid = await register({ due_on: '2026-01-15', issued_on: '2026-01-11' });
  await done(at(paid.id, '/mark-paid'), transfer);
  await assertFilters(app, path, key, [
    [{ supplier_id: supplier.id }, [a.id, b.id, d.id, paid.id]],
    [{ number: 'F-2' }, [b.id]],
    [{ reception_number: a.reception_number }, [a.id]],
    [{ kind: 'simplified' }, [c.id]],
    [{ operation: 'reverse_charge' }, [b.id]],
    [{ status: 'accounted' }, [b.id]],
    [{ 'status[in]': 'draft,paid' }, [d.id, paid.id]],
    [{ is_investment_good: 'true' }, [a.id]],
    [{ is_overdue: 'true' }, [a.id]],
    [{ is_overdue: 'false' }, [b.id, c.id, d.id, paid.id]],
    [{ is_overdue: 'true', status: 'paid' }, []],
    [{ 'due_on[lte]': '2026-01-31' }, [paid.id]],
    [{ 'received_on[gte]': '2026-01-14' }, [a.id, b.id, c.id, paid.id]],
    [{ 'deduct_on[lt]': '2026-01-14' }, []],
    [{ 'issued_on[lt]': '2026-01-11' }, [b.id]],
    [{ 'total[gt]': '1000' }, [a.id]],
    [{ tag: 'papel' }, [a.id]],
    [{ q: 'papelera' }, [a.id, b.id, d.id, paid.id]],
    [{ q: 'F-1' }, [a.id]],
    [{ number: 'F-1', is_overdue: 'true', supplier_id: supplier.id }, [a.id]],
  ]);
  const created = [a.id, b.id, c.id, d.id, paid.id];
  await assertPages(app, path, key, {}, { created });
  for (const [sort, ids] of [
    ['issued_on', [b.id, paid.id, a.id, c.id, d.id]],
    ['-issued_on', [c.id, a.id, paid.id, b.id, d.id]],
    ['due_on', [paid.id, a.id, c.id, b.id, d.id]],
    ['-due_on', [c.id, a.id, paid.id, d.id, b.id]],
    ['-total', [a.id]],
    ['total', [b.id]],
  ] as const) {
    const { body } = await app.get(path, { key, query: { sort, limit: String(ids.length) } });
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      ids,
      sort,
    );
  }
});

test('given a credit of a supplier whose day has passed, when what is overdue is listed, then it is not: the supplier owes it', async (t) => {
  const app = await startApp(t);
  const { key, done, register, at } = await givenPurchases(app);
  const late = await register({ due_on: '2026-01-13' });
  const lines = [{ description: 'Devuelto', unit_price: -40, tax_rate: 21 }];
  const credit = await register({
    kind: 'corrective',
    corrects: { number: late.number },
    due_on: '2026-01-13',
    lines,
  });
  await done(at(credit.id, '/payments'), { amount: -10, payment_method: 'bank_transfer' });
  await assertFilters(app, path, key, [
    [{ is_overdue: 'true' }, [late.id]],
    [{ is_overdue: 'false' }, [credit.id]],
    [{ is_overdue: 'false', kind: 'corrective' }, [credit.id]],
    [{ is_overdue: 'true', kind: 'corrective' }, []],
  ]);
});

test('given a purchase whose content is closed, when its supplier and more are put, then the refusal names the first as it was sent', async (t) => {
  const app = await startApp(t);
  const { done, put, read, register, at, supplier } = await givenPurchases(app);
  const other = await done('/v1/suppliers', { name: 'Imprenta del Norte', tax_id: 'B99286320' });
  const { id } = await register();
  await done(at(id, '/mark-accounted'));
  for (const supplier_id of [other.id, null])
    assertRefused(
      await put(id, { tags: ['a'], supplier_id, notes: 'n' }),
      409,
      'invalid_status_transition',
      'supplier_id',
    );
  assert.equal((await put(id, { supplier_id: supplier.id, tags: ['a'] })).status, 200);
  assert.equal((await read(id)).supplier.id, supplier.id);
});
