/** What cannot be undone is asked of the person, where the client can ask. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { callTool, connectMcp } from '../../../test/support/mcp-client.ts';
import { type Operation, resourceOf } from '../../kernel/operation.ts';
import { catalog } from '../../modules/catalog.ts';
import { questionOf } from './confirmation-text.ts';

const capabilities = { elicitation: { form: {} } };
const yes = { confirm: { action: 'accept', content: { confirm: true } } };

async function givenDraft(app: App) {
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const client = await app.post('/v1/clients', {
    key,
    body: { name: 'Librería Norte', tax_id: 'B12345674' },
  });
  const body = { type: 'F2', client_id: client.body.data.id, lines };
  const { body: made } = await app.post('/v1/invoices', { key, body });
  return { key, id: made.data.id as string };
}

const statusOf = async (app: App, key: string, id: string) =>
  (await app.get(`/v1/invoices/${id}`, { key })).body.data.status;

/** The official client, whose person answers so. */
async function asking(t: Parameters<typeof connectMcp>[0], app: App, key: string, answer: object) {
  const client = await connectMcp(t, app, key, { capabilities });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return answer as never;
  });
  return { client, asked };
}

test('given a client that can ask, when the person agrees, then the invoice is issued, and the question named it', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const { client, asked } = await asking(t, app, key, { action: 'accept', content: { confirm: true } });
  const answer = await client.callTool({ name: 'issue_invoice', arguments: { invoice: id } });
  assert.equal((answer.structuredContent as { data: { status: string } }).data.status, 'issued');
  assert.equal(asked.length, 1);
  assert.match(
    asked[0] ?? '',
    /^Emite.*\n[\s\S]*Librería Norte[\s\S]*Total: 11,00 €[\s\S]*No se puede deshacer/,
  );
});

for (const answer of [
  { action: 'decline' },
  { action: 'cancel' },
  { action: 'accept', content: { confirm: false } },
]) {
  test(`given a person who answers ${JSON.stringify(answer)}, then nothing is done and nothing is stored`, async (t) => {
    const app = await startApp(t);
    const { key, id } = await givenDraft(app);
    const { client, asked } = await asking(t, app, key, answer);
    const args = { invoice: id, idempotency_key: 'k1' };
    const refused = await client.callTool({ name: 'issue_invoice', arguments: args });
    assert.deepEqual([refused.isError, asked.length, await statusOf(app, key, id)], [true, 1, 'draft']);
    assert.match(String(refused._meta?.['folio/request-id']), /^req_/);
    const agreed = await callTool(app, key, 'issue_invoice', args);
    assert.equal(agreed.body.result.structuredContent.data.status, 'issued');
  });
}

test('given a client that cannot ask, an input that can be undone, or a refusal, then nobody is asked', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const kind = async (name: string, args: object, can: object = capabilities) => {
    const { result, error } = (await callTool(app, key, name, args as never, { capabilities: can })).body;
    return result?.resultType ?? error.code;
  };
  assert.equal(await kind('create_invoice', { type: 'F2', lines }), 'complete');
  assert.equal(
    await kind('create_invoice', { type: 'F2', lines, options: { issue: true, dry_run: true } }),
    'complete',
  );
  assert.equal(
    await kind('create_invoice', { type: 'F2', lines, options: { issue: true } }),
    'input_required',
  );
  assert.equal(await kind('get_invoice', { invoice: id }), 'complete');
  assert.equal(await kind('issue_invoice', { invoice: 'x' }), 404);
  assert.equal(await kind('issue_invoice', { invoice: id, colour: 1 }), 422);
  assert.equal(await kind('issue_invoice', { invoice: id }, { elicitation: { url: {} } }), 'complete');
});

/** Changes a sign of the signature; other last two signs may stand for the same bytes. */
const altered = (state: string) => state.slice(0, -9) + (state.at(-9) === 'A' ? 'B' : 'A') + state.slice(-8);

test('given the state of a question, then it answers that call of that caller alone, and only while it is whole', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const other = await givenDraft(app);
  const ask = async (by: string, name: string, args: object, more: object = {}) => {
    const { body } = await callTool(app, by, name, args as never, { capabilities, more });
    return body.result?.resultType === undefined ? body.error : body.result;
  };
  const { requestState, resultType } = await ask(key, 'issue_invoice', { invoice: id });
  assert.equal(resultType, 'input_required');
  const sent = { requestState, inputResponses: yes };
  const refused = [
    await ask(other.key, 'issue_invoice', { invoice: id }, sent),
    await ask(key, 'issue_invoice', { invoice: other.id }, sent),
    await ask(key, 'mark_invoice_sent', { invoice: id }, sent),
    await ask(key, 'issue_invoice', { invoice: id, idempotency_key: 'k' }, sent),
    await ask(key, 'issue_invoice', { invoice: id }, { ...sent, requestState: altered(requestState) }),
    await ask(key, 'issue_invoice', { invoice: id }, { ...sent, requestState: 'v1.x.y' }),
    await ask(key, 'issue_invoice', { invoice: id }, { ...sent, requestState: 7 }),
  ];
  assert.deepEqual(
    refused.map(({ code }) => code),
    Array(7).fill(-32602),
  );
  // Answers without a question, and a question without answers, ask anew.
  const anew = [
    await ask(key, 'issue_invoice', { invoice: id }, { inputResponses: yes }),
    await ask(key, 'issue_invoice', { invoice: id }, { requestState }),
    await ask(
      key,
      'issue_invoice',
      { invoice: id },
      { requestState, inputResponses: { other: yes.confirm } },
    ),
  ];
  assert.deepEqual(
    anew.map((one) => one.resultType),
    Array(3).fill('input_required'),
  );
  assert.equal(await statusOf(app, key, id), 'draft');
  const done = await ask(key, 'issue_invoice', { invoice: id }, sent);
  assert.deepEqual([done.resultType, await statusOf(app, key, id)], ['complete', 'issued']);
});

test('given a draft that changes between question and answer, then the person is asked anew, and a repeated call is not', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const args = { invoice: id, idempotency_key: 'k1' };
  const issue = async (more: object = {}) =>
    (await callTool(app, key, 'issue_invoice', args, { capabilities, more })).body.result;
  const { requestState } = await issue();
  const change = async (body: object) => {
    const changed = await app.put(`/v1/invoices/${id}`, { key, body });
    assert.equal(changed.status, 200, changed.text);
  };
  const today = app.clock.now().toISOString().slice(0, 10);
  await change({ lines: [{ description: 'Café', unit_price: 1000, tax_rate: 10 }], issued_on: today });
  const anew = await issue({ requestState, inputResponses: yes });
  assert.equal(anew.resultType, 'input_required');
  const { message } = anew.inputRequests.confirm.params;
  assert.match(message, /Total: 1\.100,00 €/);
  assert.match(message, new RegExp(`Fecha: ${today.split('-').reverse().join('/')}`));
  assert.equal(await statusOf(app, key, id), 'draft');
  const agreed = { requestState: anew.requestState, inputResponses: yes };
  assert.equal((await issue(agreed)).structuredContent.data.status, 'issued');
  const again = await issue(agreed);
  assert.equal(again._meta['folio/idempotent-replayed'], true);
});

test('given a message to addresses of the call, then the question names each beside the document', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const to = ['eva@norte.example', 'otra@lejos.example'];
  const args = { invoice: id, to, message: 'Pague aquí' };
  const asked = (await callTool(app, key, 'send_invoice', args, { capabilities })).body.result;
  const { message } = asked.inputRequests.confirm.params;
  assert.match(message, /Para: Librería Norte\nTotal: 11,00 €/);
  assert.match(message, /\nto: eva@norte\.example, otra@lejos\.example\nmessage: Pague aquí\nNo se puede/);
  // However much stands before it in a call that makes a document, issues it and sends it.
  const made = catalog.find(({ name }) => name === 'create_invoice')!;
  const options = { issue: true, send_automatically: true, send_to: 'otra@lejos.example' };
  const before = {
    type: 'F2',
    notes: 'a',
    description: 'b',
    currency: 'EUR',
    due_on: '2026-01-01',
    lines: [1],
  };
  const text = questionOf(made, { params: {}, query: {}, body: { ...before, options } }, null);
  assert.match(text, /\noptions\.send_to: otra@lejos\.example\n/);
  const bulk = catalog.find(({ name }) => name === 'bulk_delete_delivery_notes')!;
  const input = { params: {}, query: {}, body: { ids: [id, id] } };
  assert.match(questionOf(bulk, input, null), /\nids: 2\n/);
});

const questionAsked = async (app: App, key: string, name: string, args: object): Promise<string> => {
  const { result } = (await callTool(app, key, name, args as never, { capabilities })).body;
  return result.inputRequests.confirm.params.message;
};

test('given an invoice with two payments, when one is to be reversed, then the question tells which one', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const send = async (path: string, body?: object) => {
    const answer = await app.post(`/v1/invoices/${id}/${path}`, { key, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const today = app.clock.now().toISOString().slice(0, 10);
  await send('issue');
  const pay = (amount: number) => send('payments', { amount, payment_method: 'cash', payment_date: today });
  const payments = [await pay(4), await pay(2.5)];
  const questions = await Promise.all(
    payments.map((payment) =>
      questionAsked(app, key, 'reverse_invoice_payment', {
        invoice: id,
        payment: payment.id.toUpperCase(),
        reason: 'recording_error',
      }),
    ),
  );
  const day = today.split('-').reverse().join('/');
  const told = questions.map((question) => /\nCobro: (.+)\n/.exec(question)?.[1]);
  assert.deepEqual(told, [`4,00 € del ${day}`, `2,50 € del ${day}`]);
});

test('given a call that makes a document of a client and issues it, then the question names the client', async (t) => {
  const app = await startApp(t);
  const { key } = await givenDraft(app);
  const client_id = (await app.get('/v1/clients', { key })).body.data[0].id;
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const args = { type: 'F2', client_id, lines, options: { issue: true } };
  assert.match(await questionAsked(app, key, 'create_invoice', args), /\nPara: Librería Norte\n/);
});

test('given a call that makes an invoice and issues it, then the question tells its total and its series, and comes anew when they change', async (t) => {
  const app = await startApp(t);
  const { key } = await givenDraft(app);
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await app.post(path, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  };
  const product_id = await made('/v1/products', { name: 'Vino', unit_price: 1000 });
  const series = {
    code: 'BAR',
    document_type: 'simplified_invoice',
    format: '{code}-{number:4}',
    reset: 'never',
  };
  const series_id = await made('/v1/series', series);
  const args = { type: 'F2', series_id, lines: [{ product_id, tax_rate: 10 }], options: { issue: true } };
  const create = async (more: object = {}) =>
    (await callTool(app, key, 'create_invoice', args, { capabilities, more })).body.result;
  const { requestState, inputRequests } = await create();
  assert.match(
    inputRequests.confirm.params.message,
    /\nSerie: BAR\nTotal de la nueva factura: 1\.100,00 €\n/,
  );
  const changed = await app.put(`/v1/products/${product_id}`, { key, body: { unit_price: 2000 } });
  assert.equal(changed.status, 200, changed.text);
  const anew = await create({ requestState, inputResponses: yes });
  assert.equal(anew.resultType, 'input_required');
  assert.match(anew.inputRequests.confirm.params.message, /\nTotal de la nueva factura: 2\.200,00 €\n/);
  const done = await create({ requestState: anew.requestState, inputResponses: yes });
  const { data } = done.structuredContent;
  assert.deepEqual([data.number, data.total], ['BAR-0001', 2200]);
});

test('given a corrective, an F3 or a recurrence, then the question tells the total of what is issued, and a repeated call is not asked', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const client_id = (await app.get('/v1/clients', { key })).body.data[0].id;
  assert.equal((await app.post(`/v1/invoices/${id}/issue`, { key })).status, 200);
  const lines = [{ description: 'Cuota', unit_price: 50, tax_rate: 21 }];
  const recurrence = await app.post('/v1/recurring_invoices', {
    key,
    body: {
      name: 'Cuota',
      client_id,
      frequency: 'monthly',
      starts_on: app.clock.now().toISOString().slice(0, 10),
      auto_issue: true,
      lines,
    },
  });
  assert.equal(recurrence.status, 201, recurrence.text);
  const recurring_invoice: string = recurrence.body.data.id;
  const substituted = { simplified_invoice_uuids: [id], client_id };
  assert.match(
    await questionAsked(app, key, 'substitute_simplified_invoices', substituted),
    /\nTotal de la nueva factura: 11,00\n/,
  );
  assert.match(
    await questionAsked(app, key, 'emit_recurring_invoice', { recurring_invoice }),
    /\nTotal de la nueva factura: 60,50 €\n/,
  );
  const correction = { type: 'differences', reason: 'Devolución' };
  const args = { invoice: id, correction, idempotency_key: 'k1' };
  const correct = async (more: object = {}) =>
    (await callTool(app, key, 'create_corrective_invoice', args, { capabilities, more })).body.result;
  const { requestState, inputRequests } = await correct();
  const question = inputRequests.confirm.params.message;
  assert.match(question, /\nTotal: 11,00 €\n/);
  assert.match(question, /\nTotal de la nueva factura: -11,00 €\n/);
  const agreed = { requestState, inputResponses: yes };
  assert.equal((await correct(agreed)).structuredContent.data.total, -11);
  // The original is rectified by now, so a dry run would be refused.
  assert.equal((await correct(agreed))._meta['folio/idempotent-replayed'], true);
});

test('given many invoices of which some are issued, then the question tells how many and their total, and comes anew when it changes', async (t) => {
  const app = await startApp(t);
  const { key } = await givenDraft(app);
  const product = await app.post('/v1/products', { key, body: { name: 'Vino', unit_price: 10 } });
  const product_id: string = product.body.data.id;
  const options = { issue: true };
  const wine = { type: 'F2', external_id: 'caja-1', lines: [{ product_id, tax_rate: 10 }], options };
  const lines = [{ description: 'Vino', unit_price: 10, tax_rate: 10 }];
  const dollars = { currency: 'USD', exchange_rate: 0.9, lines };
  const args = {
    invoices: [
      wine,
      wine,
      { type: 'F2', lines: [{ description: 'Cuota', unit_price: 50, tax_rate: 21 }], options },
      { ...wine, external_id: 'caja-2', ...dollars },
      { ...wine, external_id: 'caja-3', options: {} },
      { ...wine, external_id: 'caja-4', lines: 'x' },
      // The one before is refused, so this one is made.
      { ...wine, external_id: 'caja-4' },
      7,
    ],
    idempotency_key: 'k1',
  };
  const create = async (more: object = {}) =>
    (await callTool(app, key, 'bulk_create_invoices', args, { capabilities, more })).body.result;
  const told = ({ inputRequests }: { inputRequests: { confirm: { params: { message: string } } } }) =>
    /\n(Total de .*)\n/.exec(inputRequests.confirm.params.message)?.[1];
  const first = await create();
  assert.equal(told(first), 'Total de las 4 facturas que se emiten: 82,50 € y 11,00 USD');
  assert.equal((await app.put(`/v1/products/${product_id}`, { key, body: { unit_price: 20 } })).status, 200);
  const anew = await create({ requestState: first.requestState, inputResponses: yes });
  assert.equal(told(anew), 'Total de las 4 facturas que se emiten: 104,50 € y 11,00 USD');
  const agreed = { requestState: anew.requestState, inputResponses: yes };
  const done = (await create(agreed)).structuredContent.data;
  assert.deepEqual([done.successful, done.failed], [6, 2]);
  assert.equal((await create(agreed))._meta['folio/idempotent-replayed'], true);

  const [one] = args.invoices;
  const alone = await questionAsked(app, key, 'bulk_create_invoices', {
    invoices: [{ ...(one as object), external_id: 'caja-5' }],
  });
  assert.match(alone, /\nTotal de la nueva factura: 22,00 €\n/);
});

test('given a call that would be refused, then the question tells what it knows, and nothing is made', async (t) => {
  const app = await startApp(t);
  const { key } = await givenDraft(app);
  const args = {
    type: 'F1',
    lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }],
    options: { issue: true },
  };
  const create = async (more: object = {}) =>
    (await callTool(app, key, 'create_invoice', args, { capabilities, more })).body;
  const { requestState, inputRequests } = (await create()).result;
  assert.match(inputRequests.confirm.params.message, /\nTotal de la nueva factura: 11,00 €\n/);
  const { error } = await create({ requestState, inputResponses: yes });
  assert.equal(error.data.type, 'invalid_request_error');
  assert.equal((await app.get('/v1/invoices', { key })).body.data.length, 1);
});

test('given a purchase of a supplier, then the question before it takes its number names the supplier', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/suppliers', { key, body: { name: 'Papelería Sur', tax_id: 'B12345674' } });
  const args = {
    supplier_id: made.body.data.id,
    number: 'P-1',
    issued_on: app.clock.now().toISOString().slice(0, 10),
    lines: [{ description: 'Papel', unit_price: 10, tax_rate: 21 }],
  };
  assert.match(await questionAsked(app, key, 'create_purchase_invoice', args), /\nPara: Papelería Sur\n/);
});

test('given a price of a list, when it is to be deleted, then the question tells product, price and quantity', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = await app.post('/v1/products', { key, body: { name: 'Vino', unit_price: 10 } });
  const list = await app.post('/v1/price-lists', { key, body: { name: 'Mayor' } });
  const price_list: string = list.body.data.id;
  const body = { product_id: product.body.data.id, min_quantity: 1000, unit_price: 8.5 };
  const item = await app.post(`/v1/price-lists/${price_list}/items`, { key, body });
  assert.equal(item.status, 201, item.text);
  const args = { price_list, price_list_item: item.body.data.id };
  const question = await questionAsked(app, key, 'delete_price_list_item', args);
  assert.match(question, /\nProducto: Vino\nPrecio: 8,50\nDesde: 1\.000\nNo se puede/);
});

test('given a record of an invoice, when it is to be sent again, then the question names the invoice', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const set = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(set.status, 200, set.text);
  const { number } = (await app.post(`/v1/invoices/${id}/issue`, { key })).body.data;
  const record = (await app.get(`/v1/invoices/${id}/verifactu`, { key })).body.data.id;
  const question = await questionAsked(app, key, 'subsanar_verifactu_record', { record });
  assert.match(question, new RegExp(`\\nNúmero: ${number}\\n`));
});

test('given a series without a name, when it is to be deleted, then the question names its code', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { code: 'WEB', document_type: 'invoice' };
  const made = await app.post('/v1/series', { key, body });
  assert.equal(made.status, 201, made.text);
  const question = await questionAsked(app, key, 'delete_series', { series: made.body.data.id });
  assert.match(question, /\nCódigo: WEB\n/);
  assert.doesNotMatch(question, new RegExp(made.body.data.id));
});

test('a question names what the call says where there is nothing to read', () => {
  const named = catalog.find(({ name }) => name === 'create_invoice')!;
  const input = { params: {}, query: {}, body: { type: 'F2', lines: [1, 2], notes: 'a\nb' } };
  const text = questionOf(named, input, null);
  assert.deepEqual(text.split('\n').slice(1), [
    'type: F2',
    'lines: 2',
    'notes: a b',
    'No se puede deshacer. ¿Lo confirma?',
  ]);
});

/** Of the answer to the GET of what a tool acts on. */
function statesOf(resource: Operation | null): { object: string; states: readonly string[] } {
  const { properties } = (resource?.output ?? {}) as { properties?: Record<string, unknown> };
  const data = properties?.data as
    | { properties?: Record<string, { const?: string; enum?: string[] }> }
    | undefined;
  const { object, status } = data?.properties ?? {};
  return { object: object?.const ?? '', states: status?.enum ?? [] };
}

test('given a document in any state, then the question tells the state as people call it', async (t) => {
  const app = await startApp(t);
  const { key, id } = await givenDraft(app);
  const asked = (await callTool(app, key, 'issue_invoice', { invoice: id }, { capabilities })).body.result;
  assert.match(asked.inputRequests.confirm.params.message, /\nEstado: borrador\n/);
  const told = new Set<string>();
  for (const operation of catalog.filter(({ mcp, irreversible }) => mcp && irreversible)) {
    const { object, states } = statesOf(resourceOf(operation, catalog));
    for (const status of states) {
      const input = { params: {}, query: {}, body: undefined };
      const text = questionOf(operation, input, { data: { object, status } });
      const word = /\nEstado: (.+)\n/.exec(text)?.[1];
      assert.ok(word !== undefined && word !== status, `${object} ${status}: ${text}`);
      told.add(object);
    }
  }
  assert.ok(told.size >= 8, [...told].join(' '));
});
