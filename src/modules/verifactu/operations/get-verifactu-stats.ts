import { defineOperation } from '../../../kernel/operation.ts';
import { Described, Enum, Nullable, One, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { recordStatuses } from '../records/rules/record-block.ts';
import { companyBlock } from '../sending/rules/blocking.ts';
import { modeOn, remissionModes } from '../settings/rules/mode.ts';
import { statsOf } from '../records/rules/stats.ts';
import { findSettings } from '../settings/settings.store.ts';
import { readStats } from '../records/stats.store.ts';

const Count = Type.Integer({ minimum: 0 });

export const getVerifactuStats = defineOperation({
  name: 'get_verifactu_stats',
  method: 'GET',
  path: '/v1/verifactu/stats',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Cuenta los registros por estado.',
  description:
    'Responde cuántos registros hay en cada estado, cuántos esperan con retraso o bloqueados, desde cuándo espera el más antiguo y, si algo impide enviar, qué es. Cuáles son los registros lo dice list_verifactu_records.',
  transaction: 'read',
  mcp: true,
  output: One(
    Type.Object({
      object: Type.Literal('verifactu_stats'),
      id: Described(Uuid, 'Id de la empresa'),
      remission_mode: Nullable(
        Enum(remissionModes, { description: 'Modo de hoy; null si VeriFactu está desactivado' }),
      ),
      records_count: Described(Count, 'Registros en total'),
      by_status: Type.Object(
        Object.fromEntries(
          recordStatuses.map((status) => [status, Described(Count, `Registros en estado ${status}`)]),
        ),
        { description: 'Cuántos hay en cada estado' },
      ),
      pending_incident_count: Type.Integer({
        minimum: 0,
        description: 'Esperan con retraso por una incidencia, y se enviarán sin que haga falta nada',
      }),
      blocked_incident_count: Type.Integer({
        minimum: 0,
        description: 'Esperan, y no se enviarán hasta que se resuelva lo que los bloquea',
      }),
      rejected_open_count: Type.Integer({
        minimum: 0,
        description:
          'Rechazados sin otro registro posterior de su factura: piden que alguien los subsane, o que anule la factura',
      }),
      oldest_pending_at: Described(Nullable(Timestamp), 'Desde cuándo espera el más antiguo'),
      block_reason: Nullable(Type.String({ description: 'Por qué no se puede enviar ningún registro' })),
    }),
  ),
  errors: [],
  examples: [{ title: 'Los registros de la empresa' }],

  async handle({ tx, company, ports, today }) {
    const [row, settings] = await Promise.all([
      readStats(tx, company.company_id),
      findSettings(tx, company.company_id),
    ]);
    const block = settings
      ? companyBlock({
          is_authority_configured: ports.authority.isConfigured(company.environment),
          block_reason: settings.block_reason,
        })
      : null;
    return {
      data: {
        object: 'verifactu_stats',
        id: company.company_id,
        remission_mode: modeOn(company, today),
        ...statsOf(row, block),
        oldest_pending_at: row.oldest_at?.toISOString() ?? null,
        block_reason: block,
      },
    };
  },
});
