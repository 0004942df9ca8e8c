/**
 * Numbering series: their codes, formats and which is the default of each kind of document. Counting is done
 * by the transaction that issues, on series_counters.
 */
import type { Operation } from '../../kernel/operation.ts';
import { archiveSeries } from './operations/archive-series.ts';
import { createSeries } from './operations/create-series.ts';
import { deleteSeries } from './operations/delete-series.ts';
import { getSeries } from './operations/get-series.ts';
import { listSeries } from './operations/list-series.ts';
import { setDefaultSeries } from './operations/set-default-series.ts';
import { unarchiveSeries } from './operations/unarchive-series.ts';
import { updateSeries } from './operations/update-series.ts';

export type { SeriesForNumbering } from './series.numbering.ts';
export { findSeriesFor } from './series.numbering.ts';
export {
  type CounterRow,
  dropCounters,
  joinNumbering,
  lockCounters,
  numberingColumns,
  readSeriesBonds,
  saveCounters,
  startCounters,
  usedInvoiceCounters,
} from './series.counters.ts';
export { checkSeriesDay } from './rules/series-day.ts';
export { numberDocument, takeNumber, type TakenNumber, tellNumber } from './take-number.ts';
export { insertDefaultSeries } from './series.store.ts';

export const seriesOperations: readonly Operation[] = [
  listSeries,
  createSeries,
  getSeries,
  updateSeries,
  deleteSeries,
  archiveSeries,
  unarchiveSeries,
  setDefaultSeries,
];
