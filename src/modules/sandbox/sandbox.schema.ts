import { resourceInputs } from '../../kernel/resource-input.ts';
import { Described, Nullable, Timestamp, Type } from '../../kernel/schema.ts';
import { type CompanyClock, companyTime } from '../../platform/clock.ts';

export const clockReadOnly = ['object'] as const;

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
  now: Described(Timestamp, 'La hora que marca el reloj (ISO 8601 UTC)'),
  frozen: Type.Boolean({ description: 'El reloj está parado' }),
});

/** @param real_now when the clock is read */
export function present(clock: CompanyClock, real_now: Date) {
  return {
    object: 'sandbox_clock',
    now: companyTime(clock, real_now).toISOString(),
    frozen: clock.clock_frozen_at !== null,
  };
}
