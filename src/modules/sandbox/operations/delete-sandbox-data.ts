/** Each call deletes a bounded part, in one transaction. The one that finds nothing left starts numbers and chains anew. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { Described, Nullable, One, Type, Uuid } from '../../../kernel/schema.ts';
import { sqlStates } from '../../../kernel/sql-states.ts';
import { lockCompanyRow, renewSettings, setDefaultPriceList } from '../../../platform/company-row.ts';
import { sqlState } from '../../../platform/db.ts';
import { forgetAnswers } from '../../../platform/idempotency.ts';
import { PlanStale } from '../../../platform/issuing-call.ts';
import { forgetScanFiles } from '../../purchase-scans/index.ts';
import { lockChainHead, restartInstallation } from '../../verifactu/index.ts';
import { emptyTables } from '../sandbox-data.ts';

const rowsMax = 5000;

export const deleteSandboxData = defineOperation({
  name: 'delete_sandbox_data',
  method: 'DELETE',
  path: '/v1/sandbox/data',
  scope: 'account:write',
  tag: 'sandbox',
  summary: 'Vacía el entorno de pruebas.',
  description: [
    'Solo con claves de pruebas: una clave real recibe 403 `insufficient_scope`. La empresa real no se toca.',
    'Borra para siempre facturas, cobros, clientes, proveedores, productos, documentos escaneados con sus archivos, correos, eventos y registros de VeriFactu, y las respuestas guardadas de las Idempotency-Key. La numeración empieza de nuevo, y VeriFactu, con otro NumeroInstalacion. Quedan las claves, los ajustes y el logotipo, los impuestos y las series, los puntos de recepción de webhooks, los certificados y representaciones, el reloj y los registros de auditoría y de peticiones.',
    'Cada llamada borra una parte acotada. Si responde deleted false (202) queda algo: repita la llamada, sin Idempotency-Key o con otra, hasta que sea true (200). No emita entretanto.',
  ].join('\n\n'),
  transaction: 'own',
  environment: 'test',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  other_statuses: [{ status: 202, when: 'Queda algo por borrar: repita la llamada.' }],
  output: One(
    Type.Object({
      object: Type.Literal('sandbox_data'),
      id: Described(Uuid, 'Id de la empresa de pruebas'),
      deleted: Type.Boolean({ description: 'true: no queda nada; false: queda algo por borrar (202)' }),
      installation_number: Nullable(
        Type.String({
          description: 'El nuevo NumeroInstalacion; null sin VeriFactu o si queda algo por borrar',
        }),
      ),
    }),
  ),
  errors: [c.resource_locked],
  examples: [{ title: 'Empezar de nuevo' }],

  async handle(ctx) {
    const { tx, caller, audit, ports } = ctx;
    const { company_id } = caller;
    // Issuing waits for the head, and other calls of this operation for the company.
    await lockCompanyRow(tx, company_id);
    await lockChainHead(tx, company_id);
    const { is_empty: deleted, scan_ids } = await emptyTables(
      tx,
      company_id,
      ports.sandbox_tables,
      rowsMax,
    ).catch((error: unknown) => {
      if (sqlState(error) !== sqlStates.foreign_key_violation) throw error;
      throw new PlanStale('Something came that refers to what was deleted.');
    });
    forgetScanFiles(ctx, scan_ids);
    const data = { object: 'sandbox_data', id: company_id } as const;
    if (!deleted) return { status: 202, body: { data: { ...data, deleted, installation_number: null } } };
    await forgetAnswers(tx, company_id, 'delete_sandbox_data');
    const installation_number = await restartInstallation(ctx);
    await setDefaultPriceList(tx, company_id, null);
    await renewSettings(tx, company_id);
    audit({ action: 'sandbox_data.deleted', object: 'company', object_id: company_id });
    return { status: 200, body: { data: { ...data, deleted, installation_number } } };
  },
});
