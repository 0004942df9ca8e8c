/**
 * Owns billing records, their chain and their remission. Callers tell what an invoice says; it knows no document.
 * records/ making, showing and mending; sending/ messages to the authority; event-log/ the log of no-verifactu mode;
 * identity/ certificates, representations, declarations; settings/ mode and configuration.
 */
export {
  checkEvents,
  checkRecords,
  endFaults,
  type Ends,
  type FaultSink,
  readChainEnds,
  type Reader,
} from './chain-checks/check-chains.ts';
export { isRecorded } from './chain-checks/chain-checks.store.ts';
export { type CheckFindings, recordCheck } from './chain-checks/record-check.ts';
export type * from './chain-checks/ports.ts';
export type { EventToCheck } from './chain-checks/rules/event-walk.ts';
export type { RecordToCheck } from './chain-checks/rules/record-walk.ts';
export { type Fault, type FaultKind, faultKinds, makeFault } from './chain-checks/rules/faults.ts';
export { logClosingSummaries } from './event-log/closing-summaries.ts';
export { logRestored } from './event-log/log-restored.ts';
export { exportPeriod, ExportRefused } from './export/export-period.ts';
export { manifestName } from './export/rules/export-file.ts';
export { isExport, verifyExport } from './export/verify-export.ts';
export { signingFault } from './identity/signer.ts';
export type * from './ports.ts';
export type * from './record.ts';
export {
  chainRecords,
  isClockBehind,
  type KeptRecord,
  type RecordSeed,
  signRecords,
  storeRecords,
  summaryOfKept,
} from './records/chain.ts';
export { raiseClockAlarm } from './records/clock-alarm.ts';
export { makeRecorder, type Recorder } from './records/recorder.ts';
export { findLastOfInvoice } from './records/records.reads.ts';
export { endRepresentation } from './identity/end-representation.ts';
export type { ChainHead } from './records/records.rows.ts';
export { presentRecord, Legend, recordFields } from './records/records.schema.ts';
export {
  listRecordsOf,
  lockChainHead,
  type RecordSummary,
  saveChainHead,
  summaryOf,
} from './records/records.store.ts';
export { findRegistration } from './records/registration.store.ts';
export { eligibilityFaults, ineligible, numberFault } from './records/rules/eligibility.ts';
export { legendOf, type RecordBlock, recordBlock, recordStatuses } from './records/rules/record-block.ts';
export { type Held, heldOnceAccepted } from './records/rules/subsanacion.ts';
export { wakeSender } from './sending/sender.store.ts';
export { beginDueMode } from './settings/change-mode.ts';
export { modeOn } from './settings/rules/mode.ts';
export { restartInstallation } from './settings/restart-installation.ts';
export { findSettings } from './settings/settings.store.ts';
export { verifactuErrors } from './verifactu.errors.ts';

import type { Operation } from '../../kernel/operation.ts';
import { findVerifactuRecordByCsv } from './operations/find-verifactu-record-by-csv.ts';
import { findVerifactuRecordByHuella } from './operations/find-verifactu-record-by-huella.ts';
import { findVerifactuRecordByInvoiceNumber } from './operations/find-verifactu-record-by-invoice-number.ts';
import { getDeclaracionResponsable } from './operations/get-declaracion-responsable.ts';
import { getVerifactuRecord } from './operations/get-verifactu-record.ts';
import { getVerifactuRecordXml } from './operations/get-verifactu-record-xml.ts';
import { listDeclaracionesResponsables } from './operations/list-declaraciones-responsables.ts';
import { listVerifactuRecords } from './operations/list-verifactu-records.ts';
import { retryBlockedVerifactuRecords } from './operations/retry-blocked-verifactu-records.ts';
import { retryVerifactuRecord } from './operations/retry-verifactu-record.ts';
import { subsanarVerifactuRecord } from './operations/subsanar-verifactu-record.ts';
import { getVerifactuConfig } from './operations/get-verifactu-config.ts';
import { getVerifactuEvent } from './operations/get-verifactu-event.ts';
import { getVerifactuEventXml } from './operations/get-verifactu-event-xml.ts';
import { listVerifactuEvents } from './operations/list-verifactu-events.ts';
import { retryVerifactuEvent } from './operations/retry-verifactu-event.ts';
import { deleteVerifactuCertificate } from './operations/delete-verifactu-certificate.ts';
import { getCompanyRepresentation } from './operations/get-company-representation.ts';
import { getVerifactuCertificate } from './operations/get-verifactu-certificate.ts';
import { getVerifactuStats } from './operations/get-verifactu-stats.ts';
import { putVerifactuCertificate } from './operations/put-verifactu-certificate.ts';
import { registerCompanyRepresentation } from './operations/register-company-representation.ts';
import { revokeCompanyRepresentation } from './operations/revoke-company-representation.ts';
import { updateVerifactuSettings } from './operations/update-verifactu-settings.ts';

export const verifactuOperations: readonly Operation[] = [
  getVerifactuConfig,
  updateVerifactuSettings,
  getVerifactuStats,
  listVerifactuRecords,
  getVerifactuRecord,
  getVerifactuRecordXml,
  findVerifactuRecordByCsv,
  findVerifactuRecordByHuella,
  findVerifactuRecordByInvoiceNumber,
  retryVerifactuRecord,
  retryBlockedVerifactuRecords,
  subsanarVerifactuRecord,
  getDeclaracionResponsable,
  listDeclaracionesResponsables,
  getVerifactuCertificate,
  putVerifactuCertificate,
  deleteVerifactuCertificate,
  getCompanyRepresentation,
  registerCompanyRepresentation,
  revokeCompanyRepresentation,
  listVerifactuEvents,
  getVerifactuEvent,
  getVerifactuEventXml,
  retryVerifactuEvent,
];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = [
  'verifactu_sendings',
  'verifactu_batches',
  'verifactu_records',
  'verifactu_events',
  'verifactu_pending_events',
];
