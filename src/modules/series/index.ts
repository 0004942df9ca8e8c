/** Numbering series: codes, formats and defaults. The transaction that issues counts. */
import type { Operation } from '../../kernel/operation.ts';
import { archiveSeries } from './operations/archive-series.ts';
import { createSeries } from './operations/create-series.ts';
import { deleteSeries } from './operations/delete-series.ts';
import { getSeries } from './operations/get-series.ts';
import { listSeries } from './operations/list-series.ts';
import { setDefaultSeries } from './operations/set-default-series.ts';
import { unarchiveSeries } from './operations/unarchive-series.ts';
import { updateSeries } from './operations/update-series.ts';

export { checkSeriesDay } from './rules/series-day.ts';
export {
  type CounterRow,
  dropCounters,
  joinNumbering,
  lockCounters,
  numberingColumns,
  readLastNumbering,
  saveCounters,
  startCounters,
  usedInvoiceCounters,
} from './series.counters.ts';
export { findSeriesFor, type SeriesForNumbering } from './series.numbering.ts';
export { addMissingSeries, insertDefaultSeries } from './series.store.ts';
export { emitNumberEvents, numberDocument, takeNumber } from './take-number.ts';

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

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['series_counters'];
