/**
 * One transaction moves the clock, due times and the credentials of the sandbox's keys. Then, before the
 * answer, everything due runs in due order, each job at its own due time (ADR 26).
 */
import { isDeepStrictEqual } from 'node:util';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { writableOf } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { companyTime } from '../../../platform/clock.ts';
import { markDriven } from '../../../platform/driven-companies.ts';
import { rescheduleCompany } from '../../../platform/due-work.ts';
import { moveCredentialClocks } from '../../api-keys/index.ts';
import { ensureRealDays } from '../../companies/index.ts';
import { lockChainHead, wakeSender } from '../../verifactu/index.ts';
import { moveClock } from '../move-clock.ts';
import { clockReadOnly, present, SandboxClock, SandboxClockInput } from '../sandbox.schema.ts';
import { lockClock, setClock } from '../../../platform/company-row.ts';

/** Most jobs that run before the answer. The rest runs in the background. */
export const runsMax = 500;

export const updateSandboxClock = defineOperation({
  name: 'update_sandbox_clock',
  method: 'PUT',
  path: '/v1/sandbox/clock',
  scope: 'account:write',
  tag: 'sandbox',
  summary: 'Para, adelanta o deja correr el reloj del entorno de pruebas.',
  description: [
    'Solo con claves de pruebas: una clave real recibe 403 `insufficient_scope`.',
    '`now` pone el reloj a esa hora; null lo deja donde está. Con `frozen` a true el reloj se queda parado, y con false sigue corriendo desde ahí. Solo avanza, y hasta diez años por delante de la hora real: lo demás es 422 `business_rule_violation`.',
    `Antes de la respuesta se hace por orden de vencimiento todo lo que vence con el cambio: facturas vencidas, claves caducadas y el trabajo programado. Cada tarea se hace con la hora a la que vencía: lo que se repite cada mes se hace doce veces, con doce fechas, si el reloj se adelanta un año. Si son más de ${runsMax} tareas la respuesta es 202, y el resto sigue en segundo plano, también con su hora.`,
    'Las firmas, los límites de uso, las claves de idempotencia y los registros van siempre con la hora real.',
  ].join('\n\n'),
  transaction: 'own',
  environment: 'test',
  mcp: true,
  irreversible: true,
  other_statuses: [{ status: 202, when: 'Queda trabajo vencido por hacer: sigue después de responder.' }],
  body: SandboxClockInput,
  output: One(SandboxClock),
  errors: [c.business_rule_violation],
  examples: [
    { title: 'Un año más tarde, parado', body: { now: '2027-11-21T10:00:00Z', frozen: true } },
    { title: 'Parar el reloj', body: { now: null, frozen: true } },
    { title: 'Dejarlo correr desde donde está', body: { now: null, frozen: false } },
  ],

  async handle({ tx, caller, realNow, audit, refuseLost }, { body }) {
    const { company_id, owner_company_id } = caller;
    const clock = await lockClock(tx, company_id);
    // Read under the lock: this may have waited for another move.
    const real_now = realNow();
    const shown = present(company_id, clock, real_now);
    const moved = moveClock(clock, writableOf(body, shown, clockReadOnly), real_now);
    const data = present(company_id, moved, real_now);
    if (!isDeepStrictEqual(moved, clock)) {
      // The caller's own key may expire by the move.
      await refuseLost?.();
      const stops = clock.clock_frozen_at === null && moved.clock_frozen_at !== null;
      // A stopped clock never reaches the end of the authority's waiting time: what waits for it goes out now.
      const is_sender_due = stops && (await lockChainHead(tx, company_id)).is_sender_due;
      const now_moved = companyTime(moved, real_now);
      await Promise.all([
        setClock(tx, company_id, moved),
        rescheduleCompany(tx, company_id, moved, real_now),
        // From here on until `runDue` has said so itself.
        markDriven(tx, company_id, newId(), real_now),
        moveCredentialClocks(tx, owner_company_id, company_id, moved, now_moved),
      ]);
      if (is_sender_due) await Promise.all(wakeSender(tx, company_id, now_moved, moved, real_now));
      const { now, frozen } = data;
      const details = { now, frozen, was: { now: shown.now, frozen: shown.frozen } };
      audit({ action: 'sandbox_clock.updated', object: 'company', object_id: company_id, details });
    }
    // Also for one that stood still before there were such days.
    if (moved.clock_frozen_at !== null) await ensureRealDays(tx, company_id, real_now);
    // 202, unless nothing due is left.
    return { status: 202, body: { data } };
  },

  async after_commit({ caller, services }, answer) {
    const is_done = await services.runDue(caller.company_id, runsMax);
    return is_done ? { ...answer, status: 200 } : undefined;
  },
});
