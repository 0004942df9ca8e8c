import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NeedsScope, withoutUnseen } from './output-scopes.ts';
import { Nullable, Type } from './schema.ts';

const secret = NeedsScope('pdfs:read', Nullable(Type.String()));
const document = Type.Object({
  id: Type.String(),
  url: secret,
  pdf: Type.Optional(Type.Object({ url: secret })),
});
const dry = Type.Object({ ok: Type.Boolean() });
const schema = Type.Object({
  data: Type.Unsafe({ anyOf: [document, dry, Type.Object({ list: Type.Array(document) })] }),
});

const cases: [name: string, data: unknown, shown: unknown][] = [
  ['a document', { id: 'a', url: 'x', pdf: { url: 'y' } }, { id: 'a', url: null, pdf: { url: null } }],
  ['one without the part', { id: 'a', url: 'x' }, { id: 'a', url: null }],
  ['another form', { ok: true }, { ok: true }],
  [
    'a list',
    {
      list: [
        { id: 'a', url: 'x' },
        { id: 'b', url: null },
      ],
    },
    {
      list: [
        { id: 'a', url: null },
        { id: 'b', url: null },
      ],
    },
  ],
  ['nothing', null, null],
];
for (const [name, data, shown] of cases)
  test(`given ${name}, then a caller without the scope sees null in its place, and the answer itself stays`, () => {
    const before = structuredClone(data);
    assert.deepEqual(
      withoutUnseen(schema, { data }, () => false),
      { data: shown },
    );
    assert.deepEqual(data, before);
    assert.deepEqual(
      withoutUnseen(schema, { data }, (scope) => scope === 'pdfs:read'),
      { data },
    );
  });
