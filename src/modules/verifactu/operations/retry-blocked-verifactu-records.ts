import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { Described, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { releaseRecords } from '../sending/release-records.ts';
import { listBroken } from '../sending/sender.store.ts';

const pageMax = 500;
const firstId = '00000000-0000-0000-0000-000000000000';

export const retryBlockedVerifactuRecords = defineOperation({
  name: 'retry_blocked_verifactu_records',
  method: 'POST',
  path: '/v1/verifactu/records/retry-blocked',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Reactiva todos los registros bloqueados.',
  description:
    'Vuelve a poner en marcha el envío de los registros bloqueados y responde cuántos eran. Los que incumplían el esquema se comprueban de nuevo, y los que lo siguen incumpliendo no se cuentan. Si nada impide ya enviar a la empresa, se reactivan todos los que esperaban por ello. Lo que impide enviar lo dice get_verifactu_config en block_reason; lo que queda bloqueado, get_verifactu_stats.',
  transaction: 'own',
  status: 202,
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  output: One(
    Type.Object({
      object: Type.Literal('retry_blocked'),
      id: Described(Uuid, 'Id de la empresa'),
      reactivated: Type.Integer({ description: 'Registros que estaban bloqueados y ya no lo están' }),
    }),
  ),
  errors: [],
  examples: [{ title: 'Reactivar los bloqueados' }],
  body: Shape({}),
  body_optional: true,

  async handle(ctx) {
    const reactivated = await releaseRecords(ctx, await listMended(ctx));
    ctx.audit({
      action: 'verifactu.blocked_records_retried',
      object: 'company',
      object_id: ctx.company.company_id,
      details: { reactivated },
    });
    return { data: { object: 'retry_blocked', id: ctx.company.company_id, reactivated } };
  },
});

/** Texts never change, but the rules that check them may. */
async function listMended({ tx, company, ports }: Ctx): Promise<string[]> {
  const { findTextFaults } = await ports.records.reader();
  const mended: string[] = [];
  for (let after = firstId; ; ) {
    const page = await listBroken(tx, company.company_id, after, pageMax);
    const fit = page.filter(({ xml }) => findTextFaults(xml).length === 0);
    mended.push(...fit.map((record) => record.record_id));
    const last = page.at(-1);
    if (!last || page.length < pageMax) return mended;
    after = last.record_id;
  }
}
