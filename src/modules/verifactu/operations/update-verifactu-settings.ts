import { addDays, dayStart } from '../../../kernel/dates.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { DayText, Enum, Nullable, One, Shape, Type } from '../../../kernel/schema.ts';
import { signingReasons } from '../identity/rules/signing.ts';
import { missingSigner } from '../identity/signer.ts';
import { findRegistration } from '../records/registration.store.ts';
import { applyMode, beginPlannedMode, ensureSettings } from '../settings/change-mode.ts';
import { loadConfig, VerifactuConfig } from '../settings/config.ts';
import { type ModeChange, modeChange } from '../settings/rules/mode-change.ts';
import { modeOn, remissionModes } from '../settings/rules/mode.ts';
import { lockChainHead } from '../records/records.store.ts';
import { hasDeclaredEnd, hasSentRecords, lockModes, setEnd, setModes } from '../settings/settings.store.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';
import { changeModeKind } from '../settings/change-mode.jobs.ts';

export const updateVerifactuSettings = defineOperation({
  name: 'update_verifactu_settings',
  method: 'PUT',
  path: '/v1/verifactu/settings',
  resource_path: '/v1/verifactu/config',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Activa o desactiva VeriFactu y elige el modo de remisión.',
  description:
    'Activa o desactiva VeriFactu y elige si los registros se envían (verifactu) o se conservan firmados (no_verifactu); lo que no se envía queda como estaba. Quien ya ha hecho registros que se envían sigue hasta el 31 de diciembre: dejarlo antes se rechaza (invalid_status_transition). Con effective_on (un 1 de enero posterior) el cambio queda previsto y se comunica a la Agencia Tributaria con cada envío de ese último año. Para activarlo la empresa necesita nombre (business_rule_violation), y para conservar registros firmados, un certificado propio o una representación en vigor (representation_required). If-Match lleva la ETag de get_verifactu_config, que es lo que esta operación cambia.',
  transaction: 'own',
  mcp: true,
  body: Shape({
    enabled: Type.Optional(Type.Boolean({ description: 'true activa VeriFactu; false lo desactiva' })),
    remission_mode: Type.Optional(
      Enum(remissionModes, {
        description: 'verifactu: cada registro se envía al hacerse. no_verifactu: se conservan firmados',
      }),
    ),
    effective_on: Type.Optional(
      Nullable(
        Type.String({
          ...DayText,
          description: 'YYYY-MM-DD: el 1 de enero en que cambia; null anula el cambio previsto',
        }),
      ),
    ),
  }),
  output: One(VerifactuConfig),
  errors: [
    c.invalid_status_transition,
    c.business_rule_violation,
    e.representation_required,
    e.social_collaborator_unavailable,
    e.verifactu_not_eligible,
  ],
  examples: [{ title: 'Empezar a enviar', body: { enabled: true, remission_mode: 'verifactu' } }],

  async handle(ctx, { body }) {
    const { tx, company, today, audit } = ctx;
    await lockModes(tx, company.company_id);
    // Holds the head, so that invoices under way count.
    await lockChainHead(tx, company.company_id);
    // A mode whose day has come begins before another is chosen, even where its job has not run yet.
    const waiting = await beginPlannedMode(ctx);
    const stored = await lockModes(tx, company.company_id);
    const mode = modeOn(stored, today);
    const { verifactu_next_on } = stored;
    const next_on = verifactu_next_on !== null && today < verifactu_next_on ? verifactu_next_on : null;
    const change = modeChange(
      {
        mode,
        next_mode: next_on === null ? null : stored.verifactu_next_mode,
        next_on,
        is_bound: mode === 'verifactu' && (await hasSentRecords(tx, company.company_id, today)),
        is_end_declared:
          next_on !== null && (await hasDeclaredEnd(tx, company.company_id, addDays(next_on, -1))),
      },
      body,
      today,
    );
    if (change.kind === 'none') return { data: await loadConfig(ctx, stored) };
    await carryOut(ctx, change, {
      mode,
      begun: waiting?.waits_for === 'signer' ? stored.verifactu_mode : mode,
    });
    audit({
      action: 'verifactu.settings_updated',
      object: 'company',
      object_id: company.company_id,
      details: { ...change },
    });
    return { data: await loadConfig(ctx, await lockModes(tx, company.company_id)) };
  },
});

type Mode = ReturnType<typeof modeOn>;

/** @param begun differs from `mode` while no-verifactu mode waits for somebody who can sign its first event */
async function carryOut(
  ctx: Ctx,
  change: Exclude<ModeChange, { kind: 'none' }>,
  { mode, begun }: { mode: Mode; begun: Mode },
): Promise<void> {
  const { tx, company, now } = ctx;
  const { company_id } = company;
  const unplanned = { verifactu_mode: mode, verifactu_next_mode: null, verifactu_next_on: null };
  if (change.kind === 'cancel') {
    await setModes(tx, company_id, unplanned, now);
    await setEnd(tx, company_id, null, now);
    return;
  }
  if (change.mode !== null && change.mode !== 'off') {
    checkCompany(ctx);
    await ensureSettings(ctx);
  }
  if (change.kind === 'now' && change.mode === 'no_verifactu' && mode !== 'no_verifactu')
    await checkSigner(ctx);
  if (change.kind === 'now') return applyMode(ctx, begun, change.mode);
  // A plan takes the place of the one before, which has to begin first.
  if (mode !== begun) await checkSigner(ctx);
  await setModes(
    tx,
    company_id,
    { verifactu_mode: mode, verifactu_next_mode: change.mode, verifactu_next_on: change.on },
    now,
  );
  // FechaFinVeriFactu. Each message of its year tells it.
  if (mode === 'verifactu') await setEnd(tx, company_id, addDays(change.on, -1), now);
  ctx.enqueue(changeModeKind, {}, { run_at: dayStart(company.time_zone, change.on) });
}

/** @throws 422 when nobody could sign the records of no-verifactu mode */
async function checkSigner({ tx, company, ports, now, today }: Ctx): Promise<void> {
  const row = await findRegistration(tx, company.company_id);
  const param = row && missingSigner(ports, company, row, now, today);
  if (!param) return;
  const details = { param: 'remission_mode', values: { reason: signingReasons[param] } };
  // It has given a representation, which the service cannot use.
  if (param === 'system_certificate') throw fail(e.social_collaborator_unavailable, details);
  throw fail(e.representation_required, details);
}

/** @throws 422 business_rule_violation when records could not name issuer and producer */
function checkCompany({ company, ports }: Ctx): void {
  const refuse = (param: string, reason: string) =>
    fail(c.business_rule_violation, { param, values: { reason } });
  if (company.name === null || company.name.trim() === '')
    throw refuse('company_name', 'la empresa no tiene nombre.');
  if (company.environment === 'live' && !ports.system.is_configured) {
    throw refuse(
      'enabled',
      'en este servicio no se ha configurado quién produce el sistema de facturación, y cada registro tiene que nombrarlo. Lo configura quien lo mantiene.',
    );
  }
}
