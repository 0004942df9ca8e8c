/** PDFs of any document: names, and a store that fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../kernel/uuid7.ts';
import { KeptPdfs } from './kept-pdfs.ts';
import { pdfFileName } from './pdf-file-name.ts';
import type { BlobPort } from './ports.ts';
import type { Printable } from './printable.ts';

const id = newId();
const numbered = (number: string | null) => ({ ref: { id }, document: { number } }) as Printable;

for (const [number, name] of [
  ['F2026-00012', 'F2026-00012.pdf'],
  [null, `borrador-${id}.pdf`],
  ['F/2026/12', 'F-2026-12.pdf'],
  ['../../etc/passwd', 'etc-passwd.pdf'],
  ['A "B"\\C', 'A-B-C.pdf'],
  ['F\r\nX-Evil: 1', 'F-X-Evil-1.pdf'],
  ['SEÑAL 7', 'SEÑAL-7.pdf'],
  ["L'Any (2)€", "L'Any-(2)€.pdf"],
  ['10%25', '10%25.pdf'],
  ['…', '….pdf'],
  ['///', `${id}.pdf`],
] as const)
  test(`the number ${JSON.stringify(number)} gives the file ${name}`, () => {
    assert.equal(pdfFileName(numbered(number)), name);
  });

const whole = Buffer.from('%PDF-1.7\nbytes\n%%EOF\n');

function store(blobs: Partial<BlobPort>) {
  const now = { ms: 0 };
  const asked: string[] = [];
  const told: string[] = [];
  const say = (_details: object, message: string) => void told.push(message);
  const kept = new KeptPdfs(
    {
      async get(key) {
        asked.push(`get ${key}`);
        return blobs.get?.(key);
      },
      async put(key, ...rest) {
        asked.push(`put ${key}`);
        return blobs.put?.(key, ...rest);
      },
      delete: async () => undefined,
    },
    () => now.ms,
  );
  return { kept, now, asked, told, log: { info: say, warn: say, error: say } };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const away = () => Promise.reject(new Error('away'));

test('given a store that fails, then reads or writes pause for ten seconds, each apart, and each failure is logged', async () => {
  const { kept, now, asked, told, log } = store({ get: away, put: async () => undefined });
  assert.equal(await kept.find('a', log), undefined);
  assert.equal(await kept.find('b', log), undefined);
  kept.keep('a', whole, log);
  assert.deepEqual([asked, told.length], [['get a', 'put a'], 1]);
  now.ms += 10_000;
  await kept.find('c', log);
  assert.deepEqual([asked.at(-1), told.length], ['get c', 2]);

  const writing = store({ get: async () => whole, put: away });
  writing.kept.keep('a', whole, writing.log);
  await settled();
  writing.kept.keep('b', whole, writing.log);
  assert.deepEqual(await writing.kept.find('c', writing.log), whole);
  writing.now.ms += 10_000;
  writing.kept.keep('d', whole, writing.log);
  await settled();
  assert.deepEqual([writing.asked, writing.told.length], [['put a', 'get c', 'put d'], 2]);
});

test('given a store that never answers, then two seconds later nobody waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { kept, told, log } = store({ get: () => new Promise(() => undefined) });
  const found = kept.find('a', log);
  await settled();
  t.mock.timers.tick(2000);
  assert.equal(await found, undefined);
  assert.equal(told.length, 1);
});

test('given what is no whole PDF in the store, then it counts as none, and the store as sound', async () => {
  for (const bytes of ['', '%PDF-', whole.subarray(0, -4), '<Error>…</Error>', whole.subarray(1)]) {
    const { kept, asked, told, log } = store({ get: async () => Buffer.from(bytes) });
    assert.equal(await kept.find('a', log), undefined);
    assert.equal(await kept.find('b', log), undefined);
    assert.deepEqual([asked.length, told.length], [2, 2]);
  }
});

test('given a store that is slow to take, then no more than 32 files are on their way to it', async () => {
  const gate = Promise.withResolvers<void>();
  const { kept, asked, log } = store({ put: () => gate.promise });
  for (let i = 0; i < 40; i++) kept.keep(`${i}`, whole, log);
  assert.equal(asked.length, 32);
  gate.resolve();
  await settled();
  kept.keep('more', whole, log);
  assert.equal(asked.length, 33);
});
