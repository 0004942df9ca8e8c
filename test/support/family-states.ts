/** Every cell of a family's table of states, as people make the moves, with its events and its audit entry. */
import assert from 'node:assert/strict';
import type { Answer } from '../harness.ts';
import { type Case, type Doc, type FamilySetup, type Given, given } from './family-setup.ts';

export type Desk = Given & { setup: FamilySetup };

export type Move = {
  call(desk: Desk, id: string): Promise<Answer>;
  /** Its name in the audit log; null for one that is not in it. */
  audit: string | null;
};

/** The next state, `gone`, or the refusal. */
export type Cell = string | readonly [status: number, code: string];

export type StateCases = {
  /** Of the company, before the first is made. */
  now?: string;
  /** @returns the ids of as many in that state, made as people make them */
  make(desk: Desk, status: string, count: number): Promise<string[]>;
  moves: Readonly<Record<string, Move>>;
  /** Written from the rules, not from the table of the code. A cell that is not here is 409 invalid_status_transition. */
  cells: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
  /** What else holds after each move. */
  holds?(document: Doc): void;
  /** Of the document, in order. */
  events(from: string, move: string, to: string): readonly string[];
};

const refused = [409, 'invalid_status_transition'] as const;

export const act =
  (word: string, body?: object): Move['call'] =>
  ({ app, key, path }, id) =>
    app.post(`${path}/${id}/${word}`, { key, ...(body ? { body } : {}) });

/** Moves whose word in the path is their name in the audit log, but for the hyphens. */
export function movesOf(words: Readonly<Record<string, object | undefined>>): Record<string, Move> {
  return Object.fromEntries(
    Object.entries(words).map(([word, body]) => [
      word,
      { call: act(word, body), audit: word.replaceAll('-', '_') },
    ]),
  );
}

/** Edit, labels and deletion. Of these the audit log has only what has no event. */
export const plainMoves = {
  edit: { call: ({ put }, id) => put(id, { notes: 'Otra' }), audit: null },
  label: { call: ({ put }, id) => put(id, { tags: ['web'] }), audit: null },
  delete: { call: ({ app, key, path }, id) => app.delete(`${path}/${id}`, { key }), audit: null },
} as const satisfies Record<string, Move>;

/** One after the other, each with the moves that bring it there. */
export async function makeEach(
  { app, key, path, create }: Given,
  count: number,
  ways: readonly (string | readonly [word: string, body: object])[],
  more: object = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const { id } = await create(more);
    for (const way of ways) {
      const [word, body] = typeof way === 'string' ? [way, undefined] : way;
      const answer = await app.post(`${path}/${id}/${word}`, { key, ...(body ? { body } : {}) });
      assert.ok(answer.status < 300, `${word}: ${answer.text}`);
    }
    ids.push(id);
  }
  return ids;
}

type Entry = { action: string; target: { id: string }; actor: string; details: Record<string, unknown> };

/** The documents as the list shows them, their events, and the audit log of the company. */
async function look({ app, company, key, path }: Given) {
  const list = async (at: string) => {
    const { status, body, text } = await app.get(at, { key, query: { limit: '100' } });
    assert.equal(status, 200, text);
    return body.data;
  };
  const [documents, audit, events] = await Promise.all([
    list(path) as Promise<Doc[]>,
    list('/v1/audit-log') as Promise<Entry[]>,
    app.sql<{ aggregate_id: string; type: string }[]>`
      select aggregate_id, type from events where company_id = ${company.company_id} order by sequence`,
  ]);
  const eventsOf = Map.groupBy(events, ({ aggregate_id }) => aggregate_id);
  return {
    documents: new Map(documents.map((one) => [one.id, one])),
    audit,
    eventsOf: (id: string) => (eventsOf.get(id) ?? []).map(({ type }) => type),
  };
}
type Looked = Awaited<ReturnType<typeof look>>;

type Tried = { from: string; name: string; id: string; answer: Answer };

function assertCell({ setup }: Desk, { from, name, id, answer }: Tried, before: Looked, after: Looked): void {
  const { cells, events, holds } = setup.states!;
  const cell: Cell = cells[from]![name] ?? refused;
  const what = `${from} ${name}`;
  const [was, is] = [before.documents.get(id)!, after.documents.get(id)];
  const told = after.eventsOf(id).slice(before.eventsOf(id).length);
  if (typeof cell !== 'string') {
    assert.deepEqual([answer.status, answer.body.error?.code], cell, `${what}: ${answer.text}`);
    assert.deepEqual([is, told], [was, []], what);
    return;
  }
  assert.ok(answer.status === 200 || answer.status === 201, `${what}: ${answer.text}`);
  assert.deepEqual(told, events(from, name, cell), what);
  if (cell === 'gone') {
    assert.equal(is, undefined, what);
    return;
  }
  assert.equal(is?.status, cell, what);
  if (was.number) assert.equal(is.number, was.number, what);
  if (setup.numbering_move !== null) assert.equal(is.number === null, cell === 'draft', what);
  holds?.(is);
  const { email: _, ...data } = answer.body.data;
  if (data.id === id && data.object === is.object) assert.deepEqual(data, is, what);
}

/** The entry of a move that was made, and none of one that was refused. A number that is gone stays in it. */
function assertAudited({ setup }: Desk, { from, name, id }: Tried, before: Looked, after: Looked): void {
  const { moves, cells } = setup.states!;
  const { audit } = moves[name]!;
  if (audit === null) return;
  const to = cells[from]![name];
  const action = `${setup.family.object}.${audit}`;
  const entries = after.audit.filter((one) => one.action === action && one.target.id === id);
  const said = entries
    .filter(({ details }) => details.from === from)
    .map(({ actor, details }) => [actor, details.to, details.channel, details.number]);
  const number = before.documents.get(id)!.number;
  const expected = to === 'gone' ? [undefined, 'api', number] : [to, 'api', undefined];
  assert.deepEqual(said, typeof to === 'string' ? [['api_key', ...expected]] : [], `${from} ${name}`);
}

/** What was read may be sent back, and labels change, whatever the state is. */
async function assertLabels({ app, company, put, setup }: Desk, shown: Doc): Promise<void> {
  const { object, silent = [] } = setup.family;
  const { id, status: from } = shown;
  const metadata = silent.includes('metadata_changed') ? `${object}.updated` : `${object}.metadata_changed`;
  app.clock.advance(1000);
  const custom_fields = [{ field: 'Obra', value: '7' }];
  const changes: [sent: object, events: string[], changed: object][] = [
    [shown, [], {}],
    [{ metadata: { a: from } }, [metadata], { metadata: { a: from } }],
    [{ tags: ['una', 'dos'] }, [`${object}.updated`], { tags: ['una', 'dos'] }],
    [
      { metadata: null, tags: null, custom_fields },
      [...new Set([metadata, `${object}.updated`])].sort(),
      { metadata: {}, tags: [], custom_fields },
    ],
  ];
  let expected = shown;
  for (const [sent, events, changed] of changes) {
    const told = (await app.eventTypes(company, id)).length;
    const { status, body, text } = await put(id, sent);
    assert.equal(status, 200, `${from}: ${text}`);
    assert.deepEqual((await app.eventTypes(company, id)).slice(told), events, from);
    const updated_at = events.length === 0 ? shown.updated_at : app.clock.now().toISOString();
    expected = { ...expected, ...changed, updated_at };
    assert.deepEqual(body.data, expected, from);
  }
}

export const stateCases: readonly Case[] = [
  [
    'given one in each state, when each move is tried, then the table holds, with events and audit entries',
    async (setup, t) => {
      const { now, make, moves, cells } = setup.states!;
      const desk = { ...(await given(setup, t, {}, now)), setup };
      assert.deepEqual(Object.keys(cells).sort(), [...setup.family.states.statuses].sort());
      const names = Object.keys(moves);
      for (const from of Object.keys(cells)) {
        const made = names.filter((name) => typeof cells[from]![name] === 'string');
        const ids = await make(desk, from, made.length + 1);
        // What is refused changes nothing, as is checked: so one document serves all refusals, and the labels.
        const kept = ids.at(-1)!;
        const before = await look(desk);
        for (const id of ids) assert.equal(before.documents.get(id)?.status, from);
        const tried: Tried[] = [];
        for (const name of names) {
          const id = ids[made.indexOf(name)] ?? kept;
          tried.push({ from, name, id, answer: await moves[name]!.call(desk, id) });
        }
        const after = await look(desk);
        for (const one of tried) {
          assertCell(desk, one, before, after);
          assertAudited(desk, one, before, after);
        }
        await assertLabels(desk, after.documents.get(kept)!);
      }
    },
    ({ states }) => states !== undefined,
  ],
];
