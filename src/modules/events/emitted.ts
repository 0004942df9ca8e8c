/**
 * The events that this build really emits; the catalogue calls these available and all others coming_soon.
 * The test run compares the list with what it saw.
 */
import type { EventName } from './event-catalog.data.ts';

export const emittedEventNames = [
  'client.created',
  'client.deleted',
  'client.metadata_changed',
  'client.updated',
  'invoice.annulled',
  'invoice.cancelled',
  'invoice.created',
  'invoice.deleted',
  'invoice.metadata_changed',
  'invoice.number_assigned',
  'invoice.overdue',
  'invoice.paid',
  'invoice.rectified',
  'invoice.sent',
  'invoice.simplified_created',
  'invoice.simplified_substituted',
  'invoice.substituted_by_complete',
  'invoice.updated',
  'payment.received',
  'payment.reversed',
  'product.created',
  'product.updated',
  'series.archived',
  'series.created',
  'series.deleted',
  'series.demoted_from_default',
  'series.marked_as_default',
  'series.month_reset',
  'series.number_consumed',
  'series.unarchived',
  'series.updated',
  'series.year_reset',
  'tax.external_reference_changed',
  'tax.metadata_changed',
  'tax.validity_changed',
] as const satisfies readonly EventName[];
