/** The closed lists of the authority's schemas. */
import {
  type ExemptionReason,
  exemptionReasons as exemptions,
  type Qualification,
  qualifications as qualificationTexts,
  type RegimeKey,
  regimeKeys as regimes,
} from '../../domain/tax/record-codes.ts';
import type { BreakdownRow, ForeignIdType, RecordInvoiceType } from '../../modules/verifactu/index.ts';

export const invoiceTypes: readonly RecordInvoiceType[] = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'];
export const foreignIdTypes: readonly ForeignIdType[] = ['02', '03', '04', '05', '06', '07'];
export const taxCodes: readonly BreakdownRow['tax_code'][] = ['01', '02', '03', '05'];
export const qualifications = Object.keys(qualificationTexts) as Qualification[];
export const exemptionReasons = Object.keys(exemptions) as ExemptionReason[];
export const regimeKeys = Object.keys(regimes) as RegimeKey[];
