/**
 * When a change of remission mode takes effect (RD 1007/2023, art. 16.3). A company may start to send at any time.
 * After its first such record it must go on until 31 December, and tell the authority before it stops.
 */
import { commonErrors as c } from '../../../../kernel/common.errors.ts';
import { fail, type Problem } from '../../../../kernel/problem.ts';
import { invalidParam } from '../../../../kernel/resource-input.ts';
import type { RemissionMode } from '../../record.ts';

export type ModeState = {
  mode: RemissionMode | null;
  next_mode: RemissionMode | 'off' | null;
  next_on: string | null;
  /** It has made records to be sent. */
  is_bound: boolean;
  is_end_declared: boolean;
};

export type ModeRequest = {
  enabled?: boolean | undefined;
  remission_mode?: RemissionMode | undefined;
  effective_on?: string | null | undefined;
};

export type ModeChange =
  | { kind: 'none' }
  | { kind: 'now'; mode: RemissionMode | null }
  | { kind: 'later'; mode: RemissionMode | 'off'; on: string }
  /** The planned change is dropped. */
  | { kind: 'cancel' };

const refuseMove = (param: string, reason: string): Problem =>
  fail(c.invalid_status_transition, { param, values: { reason } });
const declared = 'el fin de VERI*FACTU ya está comunicado a la Agencia Tributaria.';

/**
 * The present mode, or `effective_on` null, cancels what was planned.
 * @throws 409 invalid_status_transition for a change before 1 January, or for a mode while VeriFactu is off;
 * 422 parameter_invalid for an `effective_on` that is no 1 January to come
 */
export function modeChange(state: ModeState, asked: ModeRequest, today: string): ModeChange {
  const { mode, next_mode, next_on, is_end_declared } = state;
  const { enabled, remission_mode, effective_on } = asked;
  if (enabled === undefined && remission_mode === undefined && effective_on === undefined)
    return { kind: 'none' };
  if (mode === null && enabled !== true && remission_mode !== undefined)
    throw refuseMove('remission_mode', 'VeriFactu está desactivado.');
  const is_off = enabled === false || (mode === null && enabled !== true);
  const target = is_off ? null : (remission_mode ?? mode ?? 'verifactu');
  if (typeof effective_on === 'string') {
    if (!effective_on.endsWith('-01-01') || effective_on <= today)
      throw invalidParam('effective_on', 'Tiene que ser un 1 de enero posterior a hoy.');
    if (target === mode) throw invalidParam('effective_on', 'No cambia nada en esa fecha.');
    const next = target ?? 'off';
    if (next === next_mode && effective_on === next_on) return { kind: 'none' };
    if (is_end_declared && effective_on !== next_on) throw refuseMove('effective_on', declared);
    return { kind: 'later', mode: next, on: effective_on };
  }
  if (target === mode) {
    if (next_mode === null) return { kind: 'none' };
    if (is_end_declared) throw refuseMove('remission_mode', declared);
    return { kind: 'cancel' };
  }
  if (mode === 'verifactu' && state.is_bound)
    throw refuseMove(
      enabled === false ? 'enabled' : 'remission_mode',
      'ya se han hecho registros que se envían, y VERI*FACTU dura hasta el 31 de diciembre: indique en effective_on un 1 de enero.',
    );
  return { kind: 'now', mode: target };
}
