/** A throw-away kind of document that shows what the core carries for every kind. */
import type { TestContext } from 'node:test';
import { printDocument } from '../../src/domain/printing/print-document.ts';
import { dayFacts, numberFacts } from '../../src/domain/printing/print-facts.ts';
import { type PrintedLanguage, printedLanguages } from '../../src/domain/printing/printed-document.ts';
import type { DocumentRow } from '../../src/domain/sales/rows.ts';
import { commonErrors as c } from '../../src/kernel/common.errors.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import { Nullable, Text, Type, Uuid } from '../../src/kernel/schema.ts';
import { defineStates, type StateTable } from '../../src/kernel/states.ts';
import { invoiceTarget } from '../../src/modules/invoices/index.ts';
import {
  convertDocument,
  createDocument,
  defineFamily,
  deleteDocument,
  duplicateDocument,
  getDocument,
  getDocumentPdf,
  getDocumentPdfLink,
  listDocuments,
  moveDocument,
  revokeDocumentLink,
  sendDocument,
  updateDocument,
} from '../../src/modules/sales/index.ts';
import { type App, onOwnDatabase, type StartOptions } from '../harness.ts';
import { leaveOut } from './seen-events.ts';

/** The tables of offers are in no other file's database. */
const startApp = onOwnDatabase();

leaveOut('offer');

type OfferRow = DocumentRow & { reference: string | null; converted_to_id: string | null };

const statuses = ['draft', 'open', 'accepted', 'converted'] as const;
type Status = (typeof statuses)[number];
const moves = ['edit_content', 'edit_labels', 'delete', 'send', 'open', 'accept', 'convert'] as const;
type Move = (typeof moves)[number];
const refused = Object.fromEntries(moves.map((move) => [move, c.invalid_status_transition]));
const allowing = (allowed: Partial<Record<Move, Status>>) =>
  ({ ...refused, ...allowed }) as StateTable<Status, Move>[Status];
const table = defineStates<Status, Move>({
  draft: allowing({
    edit_content: 'draft',
    edit_labels: 'draft',
    delete: 'draft',
    send: 'open',
    open: 'open',
  }),
  open: allowing({
    edit_content: 'open',
    edit_labels: 'open',
    send: 'open',
    accept: 'accepted',
    convert: 'converted',
  }),
  accepted: allowing({ edit_labels: 'accepted', convert: 'converted' }),
  converted: allowing({ edit_labels: 'converted' }),
});

const intro = (number: string) => `Le enviamos la oferta ${number}.`;
const words = { intro, button: 'Ver', attached: 'Va adjunta.' };

export const offers = defineFamily<OfferRow>({
  // A kind that only this test knows.
  object: 'offer' as 'invoice',
  one: 'una oferta',
  many: 'las ofertas',
  the: 'la oferta',
  address_code: 250,
  collection: 'offers',
  tables: {
    documents: 'offers',
    lines: 'offer_lines',
    taxes: 'offer_tax_rows',
    tags: 'offer_tags',
    document_id: 'offer_id',
  },
  party: 'client',
  series: () => 'quote',
  fields: {
    columns: { reference: 'text', converted_to_id: 'uuid' },
    input: { reference: Type.Optional(Nullable(Text(40, { description: 'Referencia del cliente' }))) },
    shown: { status: { reference: Nullable(Type.String()), converted_to_id: Nullable(Uuid) } },
    read_only: ['converted_to_id'],
    present: ({ document: { reference, converted_to_id } }) => ({ reference, converted_to_id }),
    read: (stored, { reference = stored?.reference ?? null }) => ({
      reference: reference as string | null,
      converted_to_id: stored?.converted_to_id ?? null,
    }),
    duplicate: () => ({ converted_to_id: null }),
    converted: (target) => ({ converted_to_id: target?.id ?? null }),
  },
  mutable: ['converted_to_id'],
  events: {},
  states: {
    statuses,
    events: { accept: 'offer.accepted', convert: 'offer.converted' },
    peek: (from, move) => table.peek(from as Status, move as Move),
    next: (from, move, details) => table.next(from as Status, move as Move, details),
  },
  list: { query: {}, streams: ['client_id', 'series_id', 'status'], days: ['issued_on'], sorts: {} },
  paper: {
    title: () => 'Oferta',
    isWithdrawn: () => false,
    print({ bundle, ...setting }) {
      const { document } = bundle;
      const facts = [
        ...numberFacts('Número', document, setting.language),
        ...dayFacts('Fecha', document.issued_on, setting.language),
      ];
      return printDocument(bundle, setting, {
        title: 'Oferta',
        marks: [],
        facts,
        mentions: () => [],
        payment: null,
        qr: null,
        shows_gross: false,
        made_at: document.created_at,
      });
    },
  },
  mail: {
    purpose: 'offer' as 'invoice',
    words: Object.fromEntries(printedLanguages.map((language) => [language, words])) as Record<
      PrintedLanguage,
      typeof words
    >,
  },
  unique: {
    number: ['offers_company_id_number_idx', 'offers_company_id_series_id_series_period_series_number_idx'],
    external_id: 'offers_company_id_external_id_idx',
  },
});

const said = (name: string, scope: string) => ({
  name,
  scope,
  summary: 'De prueba.',
  description: 'Una operación de la prueba.',
});
const numbers = [
  'offer.number_assigned',
  'series.number_consumed',
  'series.year_reset',
  'series.month_reset',
];

export const offerOperations: readonly Operation[] = [
  listDocuments(offers, said('list_offers', 'quotes:read')),
  createDocument(offers, said('create_offer', 'quotes:write')),
  getDocument(offers, said('get_offer', 'quotes:read')),
  updateDocument(offers, said('update_offer', 'quotes:write')),
  deleteDocument(offers, said('delete_offer', 'quotes:delete')),
  duplicateDocument(offers, said('duplicate_offer', 'quotes:write')),
  getDocumentPdf(offers, said('get_offer_pdf', 'quotes:read')),
  getDocumentPdfLink(offers, said('get_offer_pdf_link', 'quotes:read')),
  revokeDocumentLink(offers, said('revoke_offer_public_link', 'quotes:write')),
  sendDocument(offers, { ...said('send_offer', 'quotes:send'), events: numbers }),
  moveDocument(offers, 'open', { ...said('open_offer', 'quotes:transition'), events: numbers }),
  moveDocument(offers, 'accept', {
    ...said('accept_offer', 'quotes:transition'),
    events: ['offer.accepted'],
  }),
  convertDocument(
    offers,
    { targets: [invoiceTarget] },
    { ...said('convert_offer', 'quotes:transition'), events: ['offer.converted'] },
  ),
];

/** The tables of invoices, less what only invoices have. */
const tables = `
  create table offers (like invoices including all);
  alter table offers drop column pending_cents, drop column type, drop column paid_amount, drop column corrected_amount, drop column carried_amount,
    drop column issued_by, drop column no_recipient_art61d, drop column print_recipient, drop column corrected_invoices, drop column corrective_ids,
    drop column substituted_invoices, drop column has_record, drop column sources, add column reference text, add column converted_to_id uuid;
  create table offer_lines (like invoice_lines including all);
  create table offer_tax_rows (like invoice_tax_rows including all);
  create table offer_tags (like invoice_tags including all);
  alter table offer_lines rename invoice_id to offer_id;
  alter table offer_tax_rows rename invoice_id to offer_id;
  alter table offer_tags rename invoice_id to offer_id;
  alter table offer_lines add foreign key (company_id, offer_id) references offers (company_id, id) on delete cascade;
  alter table offer_tax_rows add foreign key (company_id, offer_id) references offers (company_id, id) on delete cascade;
  select distribute('offers', 'tenant'), distribute('offer_lines', 'tenant'), distribute('offer_tax_rows', 'tenant'),
         distribute('offer_tags', 'tenant');`;

export async function startWithOffers(t: TestContext, options: StartOptions = {}): Promise<App> {
  const app = await startApp(t, { ...options, more_operations: offerOperations, more_families: [offers] });
  const [row] = await app.sql`select to_regclass('offers') as known`;
  if (row?.known === null) await app.sql.unsafe(tables);
  return app;
}
