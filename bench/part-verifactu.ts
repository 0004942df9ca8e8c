/**
 * Part (h): a VeriFactu batch, signatures and QRs against their unavoidable work, and issuing with and
 * without VeriFactu.
 */
import { type KeyObject, createPrivateKey, sign as signBytes } from 'node:crypto';
import { makeCertificateAuthority } from 'aeat-simulator';
import QRCode from 'qrcode';
import { sign } from '../src/integrations/aeat/signature.ts';
import { qrUrl } from '../src/integrations/aeat/endpoints.ts';
import type { SendingIdentity } from '../src/modules/verifactu/index.ts';
import { qrPng } from '../src/platform/qr-png.ts';
import { bareRecord } from './bare-record.ts';
import { expected } from './fixtures.ts';
import { WrongResult } from './load.ts';
import type { Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Aim, type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';
import { measureBatch } from './verifactu-batch.ts';
import { compareIssuing } from './verifactu-issue.ts';

const part = '(h) VeriFactu';
const tax_id = 'B12345674';

export async function measureVerifactu(place: Place, options: BenchOptions): Promise<Figure[]> {
  const authority = await makeCertificateAuthority();
  const { key, cert } = await authority.client(tax_id, 'Acme SL', 'seal');
  const identity = { private_key: key, certificates: [cert], kind: 'seal' } as const;
  return [
    ...(await measureBatch(part, place, options, identity)),
    ...(await measureSigning(options, identity)),
    ...(await measureQr(options)),
    ...(await compareIssuing(part, place, options)),
  ];
}

type Rates = (count: number) => Promise<number>;

/** @param counts runs in a full-scale round */
async function compare<N extends string>(
  options: BenchOptions,
  counts: Record<N, number>,
  subjects: Record<N, Rates>,
): Promise<Record<N, number[]>> {
  const names = Object.keys(subjects) as N[];
  const timed = names.map((name) => {
    const count = Math.ceil(counts[name] * options.scale);
    return [name, () => subjects[name](count)] as const;
  });
  return (await interleave(options.rounds, Object.fromEntries(timed))) as Record<N, number[]>;
}

async function perSecond(count: number, work: (i: number) => unknown): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < count; i++) await work(i);
  return count / ((performance.now() - started) / 1000);
}

/** A group commit of issuing. */
const together = 32;

async function measureSigning(options: BenchOptions, identity: SendingIdentity): Promise<Figure[]> {
  const key = createPrivateKey(identity.private_key);
  const stamped_at = '2026-11-21T10:20:30+01:00';
  const texts = Array.from({ length: 500 }, (_, i) => sampleRecord(i, stamped_at));
  const bytes = texts.map((text) => Buffer.from(text, 'utf8'));
  const ours = (i: number) => sign(texts[i % texts.length]!, identity, stamped_at);
  const groups = (count: number, one: (i: number) => Promise<unknown>) =>
    perSecond(Math.ceil(count / together), (g) =>
      Promise.all(Array.from({ length: together }, (_, i) => one(g * together + i))),
    ).then((rate) => rate * together);
  const rates = await compare(
    options,
    { ours: 400, raw: 400, ours_together: 640, raw_together: 640 },
    {
      ours: (count) => perSecond(count, ours),
      raw: (count) => perSecond(count, (i) => signBytes('sha256', bytes[i % bytes.length]!, key)),
      ours_together: (count) => groups(count, ours),
      raw_together: (count) => groups(count, (i) => signOnPool(bytes[i % bytes.length]!, key)),
    },
  );
  const aim = { at_least: 0.6 };
  return [
    ...rows('signing, one after the other', 'signatures/s', 'RSA-2048', rates.ours, rates.raw, aim),
    ...rows(
      `signing, ${together} side by side`,
      'signatures/s',
      'RSA-2048',
      rates.ours_together,
      rates.raw_together,
      aim,
    ),
  ];
}

function signOnPool(bytes: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signBytes('sha256', bytes, key, (error, value) => (error ? reject(error) : resolve(value)));
  });
}

/** Pixels of a PNG's side: the first field of its first chunk. */
const sideOf = (png: Buffer): number => png.readUInt32BE(16);

async function measureQr(options: BenchOptions): Promise<Figure[]> {
  const address = (i: number) =>
    qrUrl('preproduction', 'verifactu', { tax_id, number: numberOf(i), issued_on, total });
  const general = (i: number, scale: number) =>
    QRCode.toBuffer(address(i), { errorCorrectionLevel: 'M', scale });
  const sides = [sideOf(qrPng(address(0))), sideOf(await general(0, 12))];
  if (sides[0] !== sides[1]) throw new WrongResult(`The pictures differ in size: ${sides.join(', ')}.`);
  const rates = await compare(
    options,
    { ours: 1000, small: 40, same: 10 },
    {
      ours: (count) => perSecond(count, (i) => qrPng(address(i))),
      small: (count) => perSecond(count, (i) => general(i, 4)),
      same: (count) => perSecond(count, (i) => general(i, 12)),
    },
  );
  const aim = { at_least: 20 };
  return [
    ...rows('QR and PNG', 'pictures/s', 'qrcode.toBuffer', rates.ours, rates.small, aim),
    ...rows(
      'QR and PNG',
      'pictures/s',
      'qrcode.toBuffer of the same size',
      rates.ours,
      rates.same,
      aim,
    ).slice(1),
  ];
}

function rows(
  what: string,
  unit: Figure['unit'],
  other: string,
  ours: readonly number[],
  theirs: readonly number[],
  aim: Aim,
): Figure[] {
  return [
    { part, what: `${what}: Folio`, unit, spread: spreadOf(ours) },
    { part, what: `${what}: ${other}`, unit, spread: spreadOf(theirs) },
    { part, what: `${what}: Folio / ${other}`, unit: 'ratio', spread: ratioOf(ours, theirs), aim },
  ];
}

const issued_on = '2026-11-21';
const total = expected.total.toFixed(2);
const numberOf = (i: number) => `F2026-${String(i + 1).padStart(6, '0')}`;

function sampleRecord(i: number, stamped_at: string): string {
  const row = { tax_code: '01', regime_key: '01', qualification: 'S1', exemption_reason: null } as const;
  const none = { base_at_cost: null, surcharge_rate: null, surcharge: null };
  return bareRecord(
    {
      kind: 'alta',
      issuer: { name: 'Acme SL', tax_id },
      number: numberOf(i),
      issued_on,
      reference: null,
      is_subsanacion: false,
      prior_rejection: null,
      type: 'F1',
      correction: null,
      corrected_invoices: [],
      substituted_invoices: [],
      corrected_amounts: null,
      operation_on: null,
      description: 'Consultoría; Manual impreso; Desplazamiento',
      is_qualified_simplified: false,
      is_without_recipient: false,
      issued_by: null,
      third_party: null,
      recipients: [{ name: 'Librería Norte SL', tax_id, foreign_id: null }],
      rows: [
        { ...row, ...none, rate: '21.00', base: '262.41', tax: '55.11' },
        { ...row, ...none, rate: '4.00', base: '31.00', tax: '1.24' },
      ],
      tax_total: expected.taxes_total.toFixed(2),
      total,
    },
    `reference-${i}`,
    { tax_id, number: numberOf(i - 1), issued_on, huella: 'A'.repeat(64) },
    {
      producer: { name: 'Productor de pruebas SL', tax_id, foreign_id: null },
      name: 'Folio',
      code: 'FO',
      version: '0.1.0',
      installation_number: '1',
      is_verifactu_only: false,
      supports_many_taxpayers: true,
      has_many_taxpayers: false,
    },
    stamped_at,
  ).xml;
}
