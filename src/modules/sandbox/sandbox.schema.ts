import { resourceInputs } from '../../kernel/resource-input.ts';
import { Described, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import { type CompanyClock, companyTime } from '../../platform/clock.ts';

export const clockReadOnly = ['object', 'id'] as const;

const writable = {
  now: Nullable(
    Type.String({
      format: 'instant',
      description: 'Hora a la que se pone el reloj; null (o nada) la deja como está',
    }),
  ),
  frozen: Type.Boolean({ description: 'true para el reloj; false lo deja correr' }),
};

export const SandboxClockInput = resourceInputs(writable, {
  required: [],
  read_only: clockReadOnly,
}).update;

export const SandboxClock = Type.Object({
  object: Type.Literal('sandbox_clock'),
  id: Described(Uuid, 'Id de la empresa de pruebas'),
  now: Described(Timestamp, 'La hora que marca el reloj (ISO 8601 UTC)'),
  frozen: Type.Boolean({ description: 'El reloj está parado' }),
});

/** @param real_now when the clock is read */
export function present(company_id: string, clock: CompanyClock, real_now: Date) {
  return {
    object: 'sandbox_clock',
    id: company_id,
    now: companyTime(clock, real_now).toISOString(),
    frozen: clock.clock_frozen_at !== null,
  };
}
