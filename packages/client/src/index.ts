/** The client of Folio's API. */
export { type CallOptions, Folio, type FolioFile, type FolioSettings } from './client.ts';
export { type FieldIssue, FolioConnectionError, FolioError } from './folio-error.ts';
export type {
  Answer,
  CallName,
  CodeOf,
  ErrorCode,
  FileName,
  Input,
  Item,
  ListName,
  OperationName,
} from './operations.ts';
export { type EventName, type FolioEvent, readWebhook, WebhookSignatureError } from './webhooks.ts';
