/** Documents copy what they take from a tax. */
import type { Operation } from '../../kernel/operation.ts';
import { createTax } from './operations/create-tax.ts';
import { deleteTax } from './operations/delete-tax.ts';
import { getTax } from './operations/get-tax.ts';
import { listTaxes } from './operations/list-taxes.ts';
import { updateTax } from './operations/update-tax.ts';

export type { TaxUses } from './ports.ts';
export {
  findLineTaxes,
  findTaxesToReferTo,
  findTaxToReferTo,
  insertDefaultTaxes,
  joinTax,
} from './taxes.store.ts';

export const taxesOperations: readonly Operation[] = [listTaxes, createTax, getTax, updateTax, deleteTax];
