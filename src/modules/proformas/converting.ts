/** Pro-forma invoices as what quotes become. */
import { offerTarget } from '../offers/index.ts';
import type { ConversionTarget } from '../sales/index.ts';
import { shipping } from './shipping.fields.ts';
import { proformas } from './proformas.family.ts';

export const proformaTarget: ConversionTarget = offerTarget(proformas, 'proforma', shipping.none);
