/** Owns billing records, their chain and their remission. Is given what an invoice says; knows no document. */
export {
  chainRecords,
  isClockBehind,
  type KeptRecord,
  type RecordSeed,
  type Recorder,
  signRecords,
  storeRecords,
  summaryOfKept,
} from './chain.ts';
export {
  checkEvents,
  checkRecords,
  endFaults,
  type Ends,
  type FaultSink,
  readChainEnds,
  type Reader,
} from './check-chains.ts';
export { type CheckFindings, recordCheck } from './integrity-log.ts';
export { isRecorded } from './integrity.store.ts';
export type * from './ports.ts';
export { makeRecorder, signingFault } from './recorder.ts';
export type * from './record.ts';
export {
  listRecordsOf,
  lockChainHead,
  type RecordSummary,
  saveChainHead,
  summaryOf,
} from './records.store.ts';
export { findRegistration, setAlarm } from './registration.store.ts';
export { type RecordBlock, recordBlock, recordStatuses } from './rules/block.ts';
export { acceptedCountries } from './rules/accepted-countries.ts';
export { eligibilityFaults, numberFault } from './rules/eligibility.ts';
export { type Fault, type FaultKind, faultKinds, makeFault } from './rules/integrity.ts';
export { modeOn } from './rules/mode.ts';
export { wakeSender } from './sender.store.ts';
export { verifactuErrors } from './verifactu.errors.ts';
export type { ChainHead } from './verifactu.rows.ts';

import type { Operation } from '../../kernel/operation.ts';
import { getVerifactuConfig } from './operations/get-verifactu-config.ts';
import { updateVerifactuSettings } from './operations/update-verifactu-settings.ts';

export const verifactuOperations: readonly Operation[] = [getVerifactuConfig, updateVerifactuSettings];
