/** The members that only a delivery note has on the wire. */
import { Address } from '../../domain/address.ts';
import { EMAIL_ADDRESS_MAX } from '../../domain/email-address.ts';
import {
  DayText,
  Described,
  Name,
  Nullable,
  Shape,
  Text,
  Timestamp,
  type TProperties,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import type { Showing } from '../sales/index.ts';
import type { NoteBundle } from './delivery-notes.rows.ts';

const person = {
  name: Type.Optional(Nullable(Name(120, { description: 'Nombre y apellidos' }))),
  tax_id: Type.Optional(Nullable(Name(20, { description: 'NIF u otro documento' }))),
};

export const receivedByInput = Type.Optional(
  Described(Nullable(Shape(person)), 'Quién recibe la mercancía. Se sustituye entero'),
);

export const noteInput = {
  delivery_date: Type.Optional(
    Described(Nullable(DayText), 'Día de la entrega, YYYY-MM-DD; puede ser futuro'),
  ),
  delivery_address: Type.Optional(
    Described(Nullable(Address), 'Dónde se entrega, si no es la dirección del cliente. Se sustituye entera'),
  ),
  show_prices: Type.Optional(
    Type.Boolean({
      description:
        'false: albarán sin valorar, cuyo PDF, página y correo no llevan importes; la API los da siempre. true si se omite',
    }),
  ),
  vehicle_plate: Type.Optional(Nullable(Name(15, { description: 'Matrícula del vehículo' }))),
  driver: Type.Optional(Described(Nullable(Shape(person)), 'Quién conduce. Se sustituye entero')),
  tracking: Type.Optional(
    Described(
      Nullable(
        Shape({
          number: Type.Optional(Nullable(Name(60, { description: 'Número de seguimiento del envío' }))),
          carrier: Type.Optional(Nullable(Name(60, { description: 'Empresa que lo transporta' }))),
        }),
      ),
      'Seguimiento del envío. Se sustituye entero',
    ),
  ),
  received_by: receivedByInput,
  billing_emails: Type.Optional(
    Nullable(
      Type.Array(Text(EMAIL_ADDRESS_MAX), {
        maxItems: 20,
        description:
          'Correos a los que va el albarán, 20 como máximo; si no lleva ninguno, los del cliente. Lo enviado sustituye a toda la lista',
      }),
    ),
  ),
};

const Person = Type.Object({
  name: Nullable(Type.String({ description: 'Nombre y apellidos' })),
  tax_id: Nullable(Type.String({ description: 'NIF u otro documento' })),
});

export const noteShown: Readonly<Record<string, TProperties>> = {
  issued_on: {
    delivery_date: Described(Nullable(DayText), 'Día de la entrega, YYYY-MM-DD'),
    delivered_at: Described(Nullable(Timestamp), 'Cuándo se entregó (ISO 8601 UTC)'),
    cancelled_at: Described(Nullable(Timestamp), 'Cuándo se canceló (ISO 8601 UTC)'),
    signed_at: Described(Nullable(Timestamp), 'Cuándo se firmó (ISO 8601 UTC)'),
    signed_by: Nullable(
      Type.String({ description: 'Quién lo firmó; null también si se han borrado sus datos' }),
    ),
    signature_image_url: Nullable(
      Type.String({ description: 'Dirección de la imagen de la firma, que se abre con la clave de la API' }),
    ),
    delivery_address: Described(
      Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
      'Dónde se entrega, si no es la dirección del cliente',
    ),
    show_prices: Type.Boolean({ description: 'El PDF, la página y el correo llevan los importes' }),
    vehicle_plate: Nullable(Type.String({ description: 'Matrícula del vehículo' })),
    driver: Described(Nullable(Person), 'Quién conduce'),
    tracking: Described(
      Nullable(
        Type.Object({
          number: Nullable(Type.String({ description: 'Número de seguimiento del envío' })),
          carrier: Nullable(Type.String({ description: 'Empresa que lo transporta' })),
        }),
      ),
      'Seguimiento del envío',
    ),
    received_by: Described(Nullable(Person), 'Quién recibe la mercancía'),
    billing_emails: Type.Array(Type.String(), { description: 'Correos a los que va el albarán' }),
  },
  external_id: {
    converted_to_id: Described(Nullable(Uuid), 'Id de la factura en la que se ha convertido'),
  },
};

/** Set by moves. A PUT may repeat them unchanged. */
export const noteReadOnly = [
  'delivered_at',
  'cancelled_at',
  'signed_at',
  'signed_by',
  'signature_image_url',
  'converted_to_id',
] as const;

export const instant = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

export function signatureImageUrl({ ports }: Pick<Showing, 'ports'>, id: string): string {
  return ports.links.apiUrl(`/v1/delivery_notes/${id}/signature/image`);
}

export function presentNote(
  { document: row, signature }: NoteBundle,
  showing: Showing,
): Record<string, unknown> {
  return {
    delivery_date: row.delivery_date,
    delivered_at: instant(row.delivered_at),
    cancelled_at: instant(row.cancelled_at),
    signed_at: instant(row.signed_at),
    signed_by: signature?.signed_by ?? null,
    signature_image_url: signature?.image_media_type ? signatureImageUrl(showing, row.id) : null,
    delivery_address: row.delivery_address,
    show_prices: row.show_prices,
    vehicle_plate: row.vehicle_plate,
    driver: row.driver,
    tracking: row.tracking,
    received_by: row.received_by,
    billing_emails: row.billing_emails,
    converted_to_id: row.converted_to_id,
  };
}
