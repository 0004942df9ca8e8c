/** The client of Folio's API. */
export { type CallOptions, type Exchange, Folio, type FolioFile, type FolioSettings } from './client.ts';
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
