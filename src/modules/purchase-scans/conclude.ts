/** What a reading means in this company: whose paper it is, and what it may book. */
import type { Ctx } from '../../kernel/operation.ts';
import { findSuppliersByTaxId } from '../contacts/index.ts';
import type { ScanReading } from './ports.ts';
import type { ScanRow } from './purchase-scans.schema.ts';
import { proposalOf } from './rules/proposal.ts';
import { plainText, type ReadPaper } from './rules/read-purchase.ts';

type Concluded = Pick<
  ScanRow,
  'pages' | 'extraction' | 'proposal' | 'supplier_id' | 'supplier_candidates' | 'possible_duplicate_ids'
>;

const own = 'El emisor que se ha leído es esta empresa: no es una factura de compra.';
const noIssuer = 'En el texto no se lee otro NIF que el de esta empresa: regístrela a mano con su proveedor.';
const ownFirst =
  'El primer NIF del texto es el de esta empresa: compruebe quién emite la factura, y que no sea una de venta.';
const uncertain =
  'El texto no dice con certeza cuál de los NIF es el de quien emite la factura: elija el proveedor.';
const notTaken = (reason: string) => `Lo leído no se puede registrar tal cual: ${plainText(reason, 300)}`;
const otherBuyer = 'El destinatario que se ha leído no es esta empresa.';

export async function conclude(
  ctx: Ctx,
  { purchase, paper = purchase ?? undefined, pages, method, fields, warnings }: ScanReading,
): Promise<Concluded> {
  const extraction = { method, fields, warnings: [...warnings] };
  const nothing = { pages, extraction, proposal: null, supplier_id: null, possible_duplicate_ids: [] };
  if (!paper) return { ...nothing, supplier_candidates: [] };
  const { tx, company, ports, today } = ctx;
  const { company_id } = company;
  const ids = othersIds(paper, company.tax_id);
  const { buyer_tax_id, issuer_tax_id, number } = paper;
  const is_to_other = buyer_tax_id !== null && buyer_tax_id !== company.tax_id;
  // A text that names the company as issuer is the company's own invoice.
  const is_own = method === 'text' && issuer_tax_id === company.tax_id;
  if (is_own) {
    extraction.warnings.push(own);
    return { ...nothing, supplier_candidates: [] };
  }
  if (ids.length === 0 && (paper.supplier_tax_ids.length > 0 || method === 'text')) {
    extraction.warnings.push(method === 'text' && !is_to_other ? noIssuer : own);
    return { ...nothing, supplier_candidates: [] };
  }
  if (is_to_other) extraction.warnings.push(otherBuyer);
  const suppliers = await findSuppliersByTaxId(tx, company_id, ids);
  const supplier_candidates = suppliers.map(({ id, name }) => ({ id, name, reason: 'tax_id' as const }));
  const doubt = method === 'text' ? doubtOf(paper, { ids, own_id: company.tax_id }) : null;
  if (doubt !== null) extraction.warnings.push(doubt);
  const issuers = suppliers.filter(({ tax_id }) => (issuer_tax_id ?? tax_id) === tax_id);
  const supplier_id = issuers.length === 1 && doubt === null ? issuers[0]!.id : null;
  const { proposal: complete, warnings: more } = purchase
    ? proposalOf(purchase, { supplier_id, today, is_to_other })
    : { proposal: null, warnings: [] };
  const refusal = complete && (await ports.scan_uses.refusalOf(ctx, complete));
  const proposal = refusal === null ? complete : null;
  extraction.warnings.push(...more, ...(refusal === null ? [] : [notTaken(refusal)]));
  const possible_duplicate_ids =
    supplier_id === null || number === null
      ? []
      : await ports.scan_uses.findSame(tx, company_id, { supplier_id, number });
  return { pages, extraction, proposal, supplier_id, supplier_candidates, possible_duplicate_ids };
}

/**
 * A text names both parties, and without labels nothing tells them apart: the first may be the client of the company's
 * own invoice.
 */
function doubtOf(
  { issuer_tax_id, buyer_tax_id, supplier_tax_ids }: ReadPaper,
  { ids, own_id }: { ids: readonly string[]; own_id: string },
): string | null {
  if (issuer_tax_id !== null) return null;
  const is_own_named = supplier_tax_ids.includes(own_id) && buyer_tax_id !== own_id;
  if (is_own_named) return supplier_tax_ids[0] === own_id ? ownFirst : uncertain;
  return ids.length > 1 ? uncertain : null;
}

/** A text names its recipient too. */
function othersIds({ supplier_tax_ids, supplier_vat_id }: ReadPaper, own_id: string): string[] {
  const others = supplier_tax_ids.filter((id) => id !== own_id);
  const is_own = supplier_vat_id === null || supplier_vat_id === `ES${own_id}`;
  return [...new Set([...others, ...(is_own ? [] : [supplier_vat_id])])];
}
