import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { findProcess } from 'embedded-postgres-server';
import type { PrintedDocument } from '../../domain/printing/printed-document.ts';
import { printedSample } from '../../../test/support/printed-samples.ts';
import type { PoolLimits } from '../processes/process-pool.ts';
import { ProcessFault } from '../processes/process-seat.ts';
import { printingPool, startPrinting } from './printing-pool.ts';
import type { EngineName } from './typesetter.ts';
import { findNative } from './typst-native.ts';

/** These titles make the process do what our templates do not. */
const template = `
#let d = json("/document.json")
#set document(title: d.file_title)
#set text(font: "Inter", lang: "es")
#if d.title == "endless" { let n = 0; for i in range(100000) { for j in range(100000) { n += calc.rem(i * j, 7) } } }
#if d.title == "deep" { image(bytes(d.notes.text), format: "svg", alt: "a") }
#if d.title == "wrong" { panic("as it says") }
#if d.title == "file" { read("/etc/passwd") }
#if d.title == "sign" [😀]
#d.title
`;
const templates = mkdtempSync(join(tmpdir(), 'folio-templates-'));
writeFileSync(join(templates, 'document.typ'), template);
after(() => rmSync(templates, { recursive: true }));

const engines: EngineName[] = findNative() === undefined ? ['wasm'] : ['native', 'wasm'];
const [first] = engines as [EngineName];
const limits: PoolLimits = {
  processes_max: 1,
  // So long that no busy machine needs it.
  seconds_max: 400,
  requests_max: 100,
  growth_max: 1_000_000_000,
  idle_seconds_max: 60,
};

function openPool(t: TestContext | undefined, changed: Partial<PoolLimits> = {}, engine = first) {
  const started: ChildProcess[] = [];
  const start = () => {
    const child = startPrinting(engine, templates);
    started.push(child);
    return child;
  };
  const pool = printingPool(start, { ...limits, ...changed });
  t?.after(() => pool.close());
  const print = async (title: string, change: Partial<PrintedDocument> = {}) => {
    const document = { ...printedSample('a4-es').document, logo: null, title, ...change };
    const printed = await pool.run({ document, format: 'a4' });
    assert.equal(Buffer.from(printed!.pdf.subarray(0, 5)).toString(), '%PDF-');
  };
  return { pool, print, started };
}

const ended = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

test('given nothing to print, when a pool is made, then no process is started', (t) => {
  assert.equal(openPool(t).started.length, 0);
});

test('given long and short documents, when they are printed, then the long ones have a process of low priority', async (t) => {
  const { print, started } = openPool(t, { processes_max: 2 });
  const [line] = printedSample('a4-es').document.lines;
  const long = { lines: Array.from({ length: 41 }, () => line!) };
  const priorities = () => started.map(({ pid }) => getPriority(pid));
  const usual = getPriority();
  const lower = Math.max(usual, 10);
  await print('a');
  await print('b', long);
  assert.deepEqual(priorities(), [usual, lower]);
  // Each keeps to its own.
  await Promise.all([print('c', long), print('d')]);
  assert.deepEqual(priorities(), [usual, lower]);
  // Without room for another, a long document slows the one that is idle.
  await Promise.all([print('e', long), print('f', long)]);
  assert.deepEqual(priorities(), [lower, lower]);
});

test('given a document without end, when its time is over, then it alone fails, and its process ends', async (t) => {
  // Time passes for that document alone: a busy machine may take long to start the next process.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { print, started } = openPool(t, { seconds_max: 4 });
  await print('before');
  const endless = assert.rejects(print('endless'), /not printed within 4 s/);
  const others = [print('a'), print('b')];
  // For the process to be in the middle of it, which nobody can see from outside.
  await wait(500);
  t.mock.timers.tick(4000);
  await Promise.all([endless, ...others]);
  assert.equal(started.length, 2);
  await ended(started[0]!);
  assert.equal(started[0]!.signalCode, 'SIGKILL');
});

test('given a process that is killed, when it printed a document, then another one prints it', async (t) => {
  const { print, started } = openPool(t);
  const printing = Promise.all([print('a'), print('b'), print('c')]);
  started[0]!.kill('SIGKILL');
  await printing;
  assert.equal(started.length, 2);
});

test('given a document whose two processes are killed, then it fails, and those that wait do not', async (t) => {
  const { print, started } = openPool(t);
  const first = assert.rejects(
    print('a'),
    (error) => error instanceof ProcessFault && /SIGKILL/.test(error.message),
  );
  const second = print('b');
  started[0]!.kill('SIGKILL');
  await ended(started[0]!);
  started[1]!.kill('SIGKILL');
  await Promise.all([first, second]);
  assert.equal(started.length, 3);
});

for (const engine of engines) {
  test(`given a document that fells the compiler (${engine}), when it is printed, then it alone fails`, async (t) => {
    const levels = 200_000;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${'<g opacity=".5">'.repeat(levels)}<rect width="3" height="3"/>${'</g>'.repeat(levels)}</svg>`;
    const { print } = openPool(t, {}, engine);
    const deep = assert.rejects(print('deep', { notes: { title: '', text } }), ProcessFault);
    await Promise.all([deep, print('a')]);
  });

  // These tests share a process: the compiler in WebAssembly takes a second to start.
  const { pool, print, started } = openPool(undefined, {}, engine);
  after(() => pool.close());

  test(`given a document that the compiler refuses (${engine}), then it fails with its words, and the process stays`, async () => {
    await assert.rejects(print('wrong'), /as it says/);
    await print('a');
    assert.equal(started.length, 1);
  });

  test(`given a template that asks for the machine's fonts and files (${engine}), then it gets none`, async () => {
    await assert.rejects(print('file'), /failed to load file/);
    // Most machines have DejaVu Sans, which has this sign. Our fonts lack it.
    if (engine === 'native') await assert.rejects(print('sign'), /could not be displayed/);
  });
}

test('given a process that has printed its number of documents, then another one prints the next', async (t) => {
  const { print, started } = openPool(t, { requests_max: 2 });
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((title) => print(title)));
  assert.equal(started.length, 3);
  await Promise.all(started.slice(0, 2).map(ended));
});

test('given a process that has grown, then another one prints the next document', async (t) => {
  const { print, started } = openPool(t, { growth_max: -1 });
  await Promise.all(['a', 'b', 'c'].map((title) => print(title)));
  assert.equal(started.length, 3);
});

test('given two processes at most, when many are to be printed, then there are two', async (t) => {
  const { print, started } = openPool(t, { processes_max: 2 });
  await Promise.all(Array.from({ length: 12 }, (_, i) => print(`${i}`)));
  assert.equal(started.length, 2);
});

test('given a process without work for a while, then it ends, and the next document is printed', async (t) => {
  const { print, started } = openPool(t, { idle_seconds_max: 0.05 });
  await print('a');
  await ended(started[0]!);
  await print('b');
  assert.equal(started.length, 2);
});

test('given documents in print and waiting, when the pool closes, then they fail, and no process is left', async (t) => {
  const { pool, print, started } = openPool(t);
  const failing = ['endless', 'a'].map((title) => assert.rejects(print(title), /the service ends/));
  await pool.close();
  await Promise.all(failing);
  assert.ok(started[0]!.signalCode !== null);
  await assert.rejects(print('b'), /the service ends/);
  assert.equal(started.length, 1);
});

test('given a process that cannot be started, when a document is printed, then it fails', async (t) => {
  const pool = printingPool(
    () => spawn('/no/such/program', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    limits,
  );
  t.after(() => pool.close());
  const { document } = printedSample('a4-es');
  await assert.rejects(pool.run({ document, format: 'a4' })!, /ENOENT/);
});

test('given a machine without room for a process, when documents are printed, then each fails', async () => {
  const pool = printingPool(() => assert.fail('no room'), limits);
  const { document } = printedSample('a4-es');
  for (let i = 0; i < 2; i++)
    await assert.rejects(pool.run({ document, format: 'a4' })!, /no process to print with/);
});

/** A service that prints one document and says so. */
const script = `
  const { printingPool, startPrinting } = await import(process.argv[1] + 'printing-pool.ts');
  let child;
  const pool = printingPool(() => (child = startPrinting(process.argv[2], process.argv[3])), JSON.parse(process.argv[4]));
  await pool.run({ document: JSON.parse(process.argv[5]), format: 'a4' });
  console.log(child.pid);
`;
function startService(then: string) {
  const { document } = printedSample('ticket-58');
  const module = new URL('./', import.meta.url).href;
  const args = ['--input-type=module', '-e', script + then, module, first, templates];
  const values = [limits, { ...document, logo: null }].map((value) => JSON.stringify(value));
  return spawn(process.execPath, [...args, ...values], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('given a program that has printed, when it has nothing else to do, then it ends by itself', async () => {
  const service = startService('');
  const [code] = (await once(service, 'exit')) as [number];
  assert.equal(code, 0);
});

test('given a service that is killed, when it has printed, then the process that did ends', async (t) => {
  const service = startService('setInterval(() => undefined, 1000);');
  t.after(() => service.kill('SIGKILL'));
  const [pid] = (await once(service.stdout, 'data')) as [Buffer];
  service.kill('SIGKILL');
  while (findProcess(Number(pid.toString()))) await wait(10);
});
