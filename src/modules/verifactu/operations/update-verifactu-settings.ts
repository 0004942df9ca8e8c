/**
 * Turns VeriFactu on or off, and chooses the remission mode. A company that has sent records goes on until
 * 31 December: leaving earlier is refused, and leaving then is planned with `effective_on`.
 */
import { addDays, nextLocalMidnight } from '../../../kernel/dates.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { DayText, Enum, Nullable, One, Shape, Type } from '../../../kernel/schema.ts';
import { applyMode, ensureSettings } from '../change-mode.ts';
import { loadConfig, remissionModes, VerifactuConfig } from '../config.ts';
import { type ModeChange, modeChange } from '../rules/mode-change.ts';
import { modeOn } from '../rules/mode.ts';
import { hasDeclaredEnd, hasSentRecords, lockModes, setEnd, setModes } from '../settings.store.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';
import { changeModeKind } from '../verifactu.jobs.ts';

export const updateVerifactuSettings = defineOperation({
  name: 'update_verifactu_settings',
  method: 'PUT',
  path: '/v1/verifactu/settings',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Activa o desactiva VeriFactu y elige el modo de remisión.',
  transaction: 'own',
  mcp: true,
  body: Shape({
    enabled: Type.Optional(Type.Boolean()),
    remission_mode: Type.Optional(
      Enum(remissionModes, {
        description: 'verifactu: cada registro se envía al hacerse. no_verifactu: se conservan firmados',
      }),
    ),
    effective_on: Type.Optional(Nullable(DayText)),
  }),
  output: One(VerifactuConfig),
  errors: [c.invalid_status_transition, c.business_rule_violation, e.verifactu_not_eligible],
  examples: [{ title: 'Empezar a enviar', body: { enabled: true, remission_mode: 'verifactu' } }],

  async handle(ctx, { body }) {
    const { tx, company, today, audit } = ctx;
    const stored = await lockModes(tx, company.company_id);
    const mode = modeOn(stored, today);
    const is_planned = stored.verifactu_next_on !== null && today < stored.verifactu_next_on;
    const change = modeChange(
      {
        mode,
        next_mode: is_planned ? stored.verifactu_next_mode : null,
        next_on: is_planned ? stored.verifactu_next_on : null,
        is_bound: mode === 'verifactu' && (await hasSentRecords(tx, company.company_id)),
        is_end_declared: await hasDeclaredEnd(tx, company.company_id),
      },
      body,
      today,
    );
    if (change.kind === 'none') return { data: await loadConfig(ctx, stored) };
    await carryOut(ctx, change, mode);
    audit({
      action: 'verifactu.settings_updated',
      object: 'company',
      object_id: company.company_id,
      details: { ...change },
    });
    return { data: await loadConfig(ctx, await lockModes(tx, company.company_id)) };
  },
});

async function carryOut(
  ctx: Ctx,
  change: Exclude<ModeChange, { kind: 'none' }>,
  mode: ReturnType<typeof modeOn>,
) {
  const { tx, company, now } = ctx;
  const { company_id } = company;
  const unplanned = { verifactu_mode: mode, verifactu_next_mode: null, verifactu_next_on: null };
  if (change.kind === 'cancel') {
    await setModes(tx, company_id, unplanned, now);
    await setEnd(tx, company_id, null, now);
    return;
  }
  if (change.kind === 'later') {
    await setModes(
      tx,
      company_id,
      { verifactu_mode: mode, verifactu_next_mode: change.mode, verifactu_next_on: change.on },
      now,
    );
    // FechaFinVeriFactu: the last day of the year, told with every message from now on.
    if (mode === 'verifactu') await setEnd(tx, company_id, addDays(change.on, -1), now);
    const eve = new Date(`${addDays(change.on, -1)}T12:00:00Z`);
    ctx.enqueue(changeModeKind, {}, { run_at: nextLocalMidnight(company.time_zone, eve) });
    return;
  }
  if (change.mode !== null) {
    if (company.name === null || company.name.trim() === '')
      throw fail(c.business_rule_violation, {
        param: 'company_name',
        values: { reason: 'la empresa no tiene nombre.' },
      });
    await ensureSettings(ctx);
  }
  await applyMode(ctx, mode, change.mode);
}
