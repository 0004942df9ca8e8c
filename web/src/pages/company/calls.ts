import type { Company as CompanySchema } from '../../../../src/modules/companies/companies.schema.ts';
import type {
  CreateSeriesInput,
  Series as SeriesSchema,
  UpdateSeriesInput,
} from '../../../../src/modules/series/series.schema.ts';
import type { Tax as TaxSchema } from '../../../../src/modules/taxes/taxes.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type Company = Wire<typeof CompanySchema>;
export type Series = Wire<typeof SeriesSchema>;
export type Tax = Wire<typeof TaxSchema>;
type OfSeries = { series: string };

export const updateCompany = call<{ body: Partial<Company>; answer: One<Company> }>('update_company');

export const listSeries = call<{ query: ListQuery; answer: Page<Series> }>('list_series');
export const getSeries = call<{ params: OfSeries; answer: One<Series> }>('get_series');
export const createSeries = call<{ body: Wire<typeof CreateSeriesInput>; answer: One<Series> }>(
  'create_series',
);
export const updateSeries = call<{
  params: OfSeries;
  body: Wire<typeof UpdateSeriesInput>;
  answer: One<Series>;
}>('update_series');
export const setDefaultSeries = call<{ params: OfSeries; answer: One<Series> }>('set_default_series');
export const archiveSeries = call<{ params: OfSeries; answer: One<Series> }>('archive_series');
export const unarchiveSeries = call<{ params: OfSeries; answer: One<Series> }>('unarchive_series');

export const listTaxes = call<{ query: ListQuery & { kind?: string }; answer: Page<Tax> }>('list_taxes');
