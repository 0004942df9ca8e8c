/** What the cases of every family ask of one: how it is started, called and brought into each state. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Operation } from '../../src/kernel/operation.ts';
import type { Family } from '../../src/modules/sales/index.ts';
import type { App, StartOptions, TestCompany } from '../harness.ts';
import type { StateCases } from './family-states.ts';

export type FamilySetup = {
  family: Family;
  /** Those of the catalogue when left out. */
  operations?: readonly Operation[];
  start(t: TestContext, options?: StartOptions): Promise<App>;
  /** How it is called, if not over HTTP. */
  surface?: string;
  /** What a creation says besides its client and lines. */
  needs?: object;
  /** The states of a new one and of a copy; `draft` when left out. */
  born?: { created: string; copied: string };
  /** The last word of the path of the move: `issue`. Null for a kind without numbers and paper. */
  numbering_move: string | null;
  /** All moves that give a number, with their bodies; an empty word is the creation. */
  numbering_ways?: Readonly<Record<string, object | undefined>>;
  /** The answer to an edit of a numbered document's content. */
  edit_when_numbered: 200 | 409;
  /** The answer to a deletion of a numbered document; 409 when left out. */
  delete_when_numbered?: 200 | 409;
  /** Valid bodies of the operations on one document that need one, by the last word of the path. */
  bodies?: Readonly<Record<string, object>>;
  /** Besides `created`. */
  sorts?: readonly string[];
  /** The order in which those without a value come last: a sooner and a later one, and one without. */
  last_without?: { field: string; sooner: object; later: object; none: object };
  states?: StateCases;
};

export type Doc = Record<string, unknown> & {
  id: string;
  number: string;
  status: string;
  public_url: string;
  total: number;
  lines: (Record<string, unknown> & { id: string })[];
};

/** A creation that takes its number at once. */
export const pending = { options: { mark_pending: true } };

export const createdAs = ({ born }: FamilySetup) => born?.created ?? 'draft';

export type Given = Awaited<ReturnType<typeof given>>;

export async function given(
  { family, start, needs = {} }: FamilySetup,
  t: TestContext,
  options: StartOptions = {},
  now?: string,
) {
  const app = await start(t, options);
  if (now !== undefined) app.clock.set(now);
  const company: TestCompany = await app.given.company();
  const key = company.live_key;
  const path = `/v1/${family.collection}`;
  const make = async (at: string, body: unknown) => {
    const answer = await app.post(at, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data as Doc;
  };
  const client = await make('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    email: 'norte@example.com',
  });
  const product = await make('/v1/products', { name: 'Cuaderno', unit_price: 2.5 });
  const lines = [
    { description: 'Reforma', quantity: 2, unit_price: 10, tax_rate: 21 },
    { product_id: product.id, quantity: 3, tax_rate: 10 },
  ];
  const body = { ...needs, client_id: client.id, lines };
  const act = async (id: string, word: string, sent?: unknown, status = 200) => {
    const answer = await app.post(`${path}/${id}/${word}`, {
      key,
      ...(sent === undefined ? {} : { body: sent }),
    });
    assert.equal(answer.status, status, answer.text);
    return answer.body.data as Doc;
  };
  return {
    app,
    company,
    key,
    path,
    make,
    client,
    product,
    lines,
    body,
    act,
    create: (more: object = {}) => make(path, { ...body, ...more }),
    read: async (id: string): Promise<Doc> => (await app.get(`${path}/${id}`, { key })).body.data,
    put: (id: string, sent: unknown) => app.put(`${path}/${id}`, { key, body: sent }),
  };
}

export type Case = readonly [
  title: string,
  run: (setup: FamilySetup, t: TestContext) => Promise<void>,
  /** Whether this kind, called in this way, has what the case is about. */
  applies?: (setup: FamilySetup) => boolean,
];
