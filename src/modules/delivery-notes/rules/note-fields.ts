/** Reads the own fields of a note. Absent keys stay, null clears. */
import { countryCodes } from '../../../domain/countries.ts';
import { isEmailAddress } from '../../../domain/email-address.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import type { NoteRow, Person, Tracking } from '../delivery-notes.rows.ts';

export type NoteSent = {
  delivery_date?: string | null;
  delivery_address?: Record<string, string | null> | null;
  show_prices?: boolean;
  vehicle_plate?: string | null;
  driver?: Partial<Person> | null;
  tracking?: Partial<Tracking> | null;
  received_by?: Partial<Person> | null;
  billing_emails?: string[] | null;
};

type NoteFields = Pick<
  NoteRow,
  | 'delivery_date'
  | 'delivery_address'
  | 'show_prices'
  | 'vehicle_plate'
  | 'driver'
  | 'tracking'
  | 'received_by'
  | 'billing_emails'
>;

/** Null when nothing of it is said. */
export function personOf(sent: Partial<Person> | null): Person | null {
  if (!sent) return null;
  const { name = null, tax_id = null } = sent;
  return name === null && tax_id === null ? null : { name, tax_id };
}

function trackingOf(sent: Partial<Tracking> | null): Tracking | null {
  if (!sent) return null;
  const { number = null, carrier = null } = sent;
  return number === null && carrier === null ? null : { number, carrier };
}

function issuesOf({ billing_emails, delivery_address }: NoteSent): FieldIssue[] {
  const issues = (billing_emails ?? []).flatMap((text, index) =>
    isEmailAddress(text)
      ? []
      : [invalidField(`billing_emails.${index}`, 'No es una dirección de correo electrónico.')],
  );
  const country = delivery_address?.country ?? null;
  if (country !== null && !countryCodes.has(country))
    issues.push(invalidField('delivery_address.country', 'No es un código de país ISO 3166-1.'));
  return issues;
}

/** @throws Problem through `reasons`: 422 parameter_invalid */
export function noteFields(stored: NoteRow | null, sent: NoteSent, reasons: Reasons): NoteFields {
  reasons.attempt(() => refuseIssues(issuesOf(sent)));
  const said = <T>(value: T | null | undefined, kept: T | null | undefined): T | null =>
    value === undefined ? (kept ?? null) : value;
  return {
    delivery_date: said(sent.delivery_date, stored?.delivery_date),
    delivery_address: said<Record<string, unknown>>(sent.delivery_address, stored?.delivery_address),
    show_prices: sent.show_prices ?? stored?.show_prices ?? true,
    vehicle_plate: said(sent.vehicle_plate, stored?.vehicle_plate),
    driver: personOf(said(sent.driver, stored?.driver)),
    tracking: trackingOf(said(sent.tracking, stored?.tracking)),
    received_by: personOf(said(sent.received_by, stored?.received_by)),
    billing_emails: said(sent.billing_emails, stored?.billing_emails) ?? [],
  };
}
