/** The bound of a reader's memory, at its peak, whatever comes and in whatever order (ADR 58). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  fullPdf,
  fullXml,
  longTextPdf,
  noisyPng,
  picturesPdf,
  progressiveJpeg,
} from '../../../test/support/scan-samples/large-files.ts';
import { textPdf } from '../../../test/support/scan-samples/pdf-text.ts';
import { ProcessFault } from '../processes/process-seat.ts';
import { startReading } from './reader-pool.ts';
import { makeScanReader } from './scan-reader.ts';

const large = 15_000_000;
const paper = [
  'Papelera Sur NIF B12345674',
  'Factura A-1',
  'Base imponible 100,00',
  'IVA 21 % 21,00',
  'Total 121,00',
];

/** Bytes, the most that it ever held. */
function peakOf(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))!;
  return Number(kibibytes) * 1024;
}

/** What is read of each, and what its warnings say. */
const kinds = [
  ['a paper', () => textPdf([paper]), 'application/pdf', 'text', /^$/],
  ['a full PDF', () => fullPdf(large), 'application/pdf', 'none', /NIF válido/],
  ['a full XML', () => fullXml(large), 'application/xml', 'none', /XML/],
  ['a noisy PNG', noisyPng, 'image/png', 'none', /NIF válido/],
  ['a large JPEG', () => progressiveJpeg(8000, 5000), 'image/jpeg', 'none', /demasiada memoria/],
  ['a PDF of pictures', () => picturesPdf(8), 'application/pdf', 'none', /demasiada memoria/],
  ['a long text', longTextPdf, 'application/pdf', null, /^$/],
] as const;

test('given files of the worst kinds, when they are read one after the other, then no reader passes its bound, and none spoils the next', {
  skip: process.platform !== 'linux' && 'Linux alone tells the peak.',
}, async (t) => {
  const peaks = new Map<number, number>();
  // The time has bounds of its own: a busy machine is no matter of memory.
  const limits = { processes_max: 1, seconds_max: 400, start_seconds_max: 400 };
  const reader = makeScanReader(limits, () => {
    const child = startReading();
    // Before the pool hears the answer, which may end the process.
    child.on('message', () => peaks.set(child.pid!, peakOf(child.pid!)));
    return child;
  });
  t.after(() => reader.close());
  const files = kinds.map(([what, make, ...rest]) => [what, make(), ...rest] as const);
  for (const [what, bytes, media_type, method, warns] of [...files, ...files.toReversed()]) {
    const read = await reader.read(bytes, media_type).catch((error: unknown) => error as Error);
    if (method === null) {
      assert.ok(read instanceof ProcessFault && read.kind === 'said', `${what}: ${read}`);
      continue;
    }
    assert.ok(!(read instanceof Error), `${what}: ${read}`);
    assert.equal(read.method, method, what);
    assert.match(read.warnings.join(), warns, what);
  }
  const most = Math.max(...peaks.values());
  assert.ok(most <= 300_000_000, `${most} bytes`);
});
