/** What all families of sales documents share. It owns no table; each family names its own. */
export {
  contentInput,
  contentOf,
  documentOutput,
  externalIdInput,
  labels,
  linesMax,
  NewLineInput,
  newLines,
  presentDocument,
  presentSums,
  type Showing,
  sumsOutput,
} from './documents.schema.ts';
export type { DocumentEmailWords } from './document-email.ts';
export {
  conversionsOf,
  type ConversionTarget,
  draftFromAll,
  reopenedEvents,
  writeCompanions,
} from './conversions.ts';
export { sortFields } from './documents.list.ts';
export { groupByKind, type Companion, type CompanionKind, companion, companionKind } from './companions.ts';
export { bulkIds, checkBulkIds } from './bulk-ids.ts';
export { documentSource } from './document-source.ts';
export {
  deleteDocument as deleteRow,
  findBundle,
  findDocument,
  findDocuments,
  insertDocuments,
  listLinesRoundedInEuros,
  listPageLines,
  listTaxRows,
  lockDocument,
  lockVersions,
  lockDocuments,
  replaceDocuments,
  updateDocuments,
  withParts,
} from './documents.store.ts';
export type { Expense } from './expenses.ts';
export { emailedDocument } from './emailed-document.ts';
export {
  type DocumentFacts,
  type FactRows,
  loadFacts,
  numberingSeries,
  readFacts,
  seriesRefusal,
  storedReferences,
} from './facts.ts';
export { pricedFacts } from './line-prices.ts';
export { listLinesTogether } from './lines-together.ts';
export { dryRunInput, dryRunOutput, isDryRun, presentDryRun } from './dry-run.ts';
export { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './operations/verb-texts.ts';
export {
  type BuiltParts,
  type BundleOf,
  defineFamily,
  type Family,
  type FieldsOf,
  type FinishOf,
  type ListCondition,
  paperKindOf,
  plainEvent,
  type Placed,
  type SentContent,
  statusOn,
  type Warning,
  withStatus,
} from './family.ts';
export { contactUses } from './contact-uses.ts';
export { productUses } from './product-uses.ts';
export { taxUses } from './tax-uses.ts';
export { movedDocument, moveInto } from './moves.ts';
export { channelOf, tellDeletion, tellMove } from './tell-move.ts';
export { refuseFuture } from './number-draft.ts';
export { MessageInput } from './message-input.ts';
export { newDraft, noTotals, refuseLineIds, wantedBy } from './new-draft.ts';
export {
  emailFacts,
  keptLanguage,
  pdfAttachment,
  type PlannedEmail,
  planEmail,
  plannedEmailBlock,
  senderOf,
  writeEmail,
} from './planned-email.ts';
export {
  conversionBody,
  conversionWarningCodes,
  convertDocument,
  replayOf,
  warningsOf,
} from './operations/convert-document.ts';
export { keepConversion } from './keep-conversion.ts';
export { createDocument } from './operations/create-document.ts';
export { deleteDocument } from './operations/delete-document.ts';
export { duplicateDocument } from './operations/duplicate-document.ts';
export { getDocument } from './operations/get-document.ts';
export { getDocumentPdf } from './operations/get-document-pdf.ts';
export { getDocumentPdfLink } from './operations/get-document-pdf-link.ts';
export { AmountText, listDocuments } from './operations/list-documents.ts';
export { moveLocked } from './moves.ts';
export { moveDocument } from './operations/move-document.ts';
export { revokeDocumentLink } from './operations/revoke-document-link.ts';
export { sendDocument } from './operations/send-document.ts';
export { updateDocument } from './operations/update-document.ts';
export { explainWrite } from './write-faults.ts';

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['document_links'];
