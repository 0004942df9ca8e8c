import { Described, Enum, Nullable, type Static, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import type { EventRow } from './event-log.store.ts';
import type { PendingEventRow } from './pending-events.store.ts';
import { eventTypes } from '../record.ts';

/** `logged`: signed and in the chain. `pending`: nobody could sign it yet. */
export const eventStates = ['logged', 'pending'] as const;

export const VerifactuEvent = Type.Object({
  id: Described(Uuid, 'Id del evento'),
  object: Type.Literal('verifactu_event'),
  status: Enum(eventStates, {
    description: 'logged: firmado y en la cadena; pending: espera a que se pueda firmar',
  }),
  type: Enum(eventTypes, { description: 'Tipo de evento, en la numeración de la Agencia Tributaria' }),
  position: Nullable(Type.Integer({ description: 'Lugar en la cadena de eventos: 1, 2, 3 …' })),
  stamped_at: Nullable(
    Type.String({ description: 'Hora del evento en su texto, con la zona de la empresa' }),
  ),
  occurred: Described(Timestamp, 'Cuándo ocurrió (ISO 8601 UTC)'),
  huella: Nullable(Type.String({ description: 'Huella del evento: 64 cifras hexadecimales' })),
  previous_huella: Nullable(Type.String({ description: 'Huella del evento anterior; null en el primero' })),
  attempts: Type.Integer({ description: 'Reintentos pedidos mientras no se podía firmar' }),
  last_error: Nullable(Type.String({ description: 'Por qué no se pudo firmar la última vez' })),
});

export type VerifactuEventBody = Static<typeof VerifactuEvent>;

const instant = (value: Date | string) => new Date(value).toISOString();

export type ListedEvent = Omit<EventRow, 'xml' | 'position'> & { position: number | string };

export function presentLogged(row: ListedEvent): VerifactuEventBody {
  return {
    id: row.id,
    object: 'verifactu_event',
    status: 'logged',
    type: row.type,
    position: Number(row.position),
    stamped_at: row.stamped_at,
    occurred: instant(row.occurred_at),
    huella: row.huella,
    previous_huella: row.previous_huella,
    attempts: 0,
    last_error: null,
  };
}

export function presentPending(row: Omit<PendingEventRow, 'details' | 'note'>): VerifactuEventBody {
  return {
    id: row.id,
    object: 'verifactu_event',
    status: 'pending',
    type: row.type,
    position: null,
    stamped_at: null,
    occurred: instant(row.occurred_at),
    huella: null,
    previous_huella: null,
    attempts: row.attempts,
    last_error: row.last_error,
  };
}
