/** Delivery notes in any state, made by calls. */
import assert from 'node:assert/strict';
import type { App } from '../harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer
type Answered = any;

/** A PNG of one pixel. */
export const signatureImage =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function givenNotes(app: App, environment: 'live' | 'test' = 'live') {
  const company = await app.given.company();
  const key = environment === 'live' ? company.live_key : company.test_key;
  const path = '/v1/delivery_notes';
  const post = (at: string, body?: unknown) => app.post(at, { key, ...(body === undefined ? {} : { body }) });
  const done = async (at: string, body?: unknown): Promise<Answered> => {
    const answer = await post(at, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${at}: ${answer.text}`);
    return answer.body.data;
  };
  const client = await done('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    email: 'norte@example.com',
  });
  const lines = [{ description: 'Cuaderno', quantity: 2, unit_price: 10, tax_rate: 21 }];
  const body = { client_id: client.id, lines };
  const ways: Record<string, [word: string, sent?: object][]> = {
    draft: [],
    pending: [['mark-pending']],
    delivered: [['mark-delivered']],
    signed: [['mark-pending'], ['sign', { signed_by: 'Eva Ruiz', signature_image: signatureImage }]],
    cancelled: [['cancel']],
    invoiced: [['mark-pending'], ['convert', { target: 'invoice' }]],
  };
  /** @returns the note as it is read in that state */
  const noteIn = async (status: string, more: object = {}): Promise<Answered> => {
    const { id } = await done(path, { ...body, ...more });
    for (const [word, sent] of ways[status] ?? []) await done(`${path}/${id}/${word}`, sent);
    return (await app.get(`${path}/${id}`, { key })).body.data;
  };
  return { company, key, path, post, done, client, lines, body, noteIn };
}

/** A product that is sold in two colours, by the unit or the box, and printed in one of two ways. */
export async function givenShirts(app: App) {
  const notes = await givenNotes(app);
  const product = await notes.done('/v1/products', {
    name: 'Camiseta',
    unit_price: 10,
    attributes: [{ name: 'Color', values: [{ name: 'Azul' }, { name: 'Rojo' }] }],
    variants: ['Azul', 'Rojo'].map((name) => ({ name, values: [{ attribute: 'Color', value: name }] })),
    presentations: [
      { name: 'Unidad', factor: 1, is_default: true },
      { name: 'Caja', factor: 12 },
    ],
    option_groups: [
      {
        name: 'Estampado',
        is_required: true,
        values: [{ name: 'Liso' }, { name: 'Láser', price_delta: 7.77 }],
      },
    ],
  });
  const [blue, red] = product.variants.map(({ id }: { id: string }) => id);
  const [group] = product.option_groups;
  const printedAs = (at: number) => ({ options: [{ group_id: group.id, value_id: group.values[at].id }] });
  return {
    ...notes,
    product,
    blue,
    red,
    box: product.presentations[1].id,
    blank: printedAs(0),
    laser: printedAs(1),
    /** Five shirts. */
    lineOf: (choice: object) => ({ product_id: product.id, quantity: 5, tax_rate: 21, ...choice }),
  };
}
