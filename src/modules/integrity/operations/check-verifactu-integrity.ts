/**
 * In no-verifactu mode the log of events records the check. A fault raises the alarm; a check of everything
 * without a fault ends it.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail, Problem } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { One, Shape, Type } from '../../../kernel/schema.ts';
import { type Ends, type Reader, readChainEnds, recordCheck } from '../../verifactu/index.ts';
import { loadCompany } from '../../../platform/company-context.ts';
import { turnRefusal } from '../../../platform/fair-turns.ts';
import { checkCompany, type ChainRange, type CompanyCheck } from '../check-company.ts';
import { IntegrityCheck, presentCheck } from '../integrity.schema.ts';

const faultsMax = 100;
/** Records that a call checks: some seconds of work, more when signed. The command line has no limit. */
const recordsMax = 2000;
const retrySeconds = 10;

type Prepared = { check: CompanyCheck } | { refusal: Problem };

const position = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }));

export const checkVerifactuIntegrity = defineOperation({
  name: 'check_verifactu_integrity',
  method: 'POST',
  path: '/v1/verifactu/integrity-checks',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Comprueba la integridad de facturas, registros, cadena, firmas y eventos.',
  description: `Vuelve a calcular lo que se guarda y dice qué no cuadra: no corrige nada. Sin límites comprueba todo, si no hay más de ${recordsMax} registros (business_rule_violation); con \`from_position\` y \`to_position\`, solo esos registros. Si encuentra faltas pone la alarma de la empresa (alarm en get_verifactu_config), que termina cuando una comprobación de todo no encuentra ninguna. En modo no verificable queda en el registro de eventos. De una empresa se hace una comprobación a la vez: si ya esperan demasiadas, company_share_exceeded.`,
  transaction: 'own',
  mcp: true,
  body_optional: true,
  body: Shape({
    from_position: position('Primer registro que se comprueba, por su lugar en la cadena; el 1 si se omite'),
    to_position: position('Último registro que se comprueba; el último de la cadena si se omite'),
  }),
  output: One(IntegrityCheck),
  errors: [c.business_rule_violation],
  examples: [
    { title: 'Todo', body: {} },
    { title: 'Una parte de la cadena', body: { from_position: 1, to_position: 100 } },
  ],

  // The check reads in transactions of its own and costs seconds in a thread. Only its result is written here.
  // Nobody else may wait for one whose caller has gone.
  prepare({ walks, shares }, { body }, { company_id, refuseGone, realNow, ...around }) {
    const read: Reader = async (work) => {
      refuseGone();
      return around.read(work);
    };
    return walks
      .run(shares.ownerOf(company_id), async (walker): Promise<Prepared> => {
        const { company, now } = await read((tx) => loadCompany(tx, company_id, realNow()));
        const ends = await readChainEnds(read, company_id);
        const range = rangeOf(body ?? {}, ends);
        return { check: await checkCompany(read, walker, company, now, ends, range, faultsMax) };
      })
      .catch((error: unknown): Prepared => {
        refuseGone();
        const refusal = turnRefusal(error, retrySeconds);
        // What the chain refuses is stored with the idempotency key, as every refusal of an operation.
        if (error instanceof Problem) return { refusal: error };
        throw refusal;
      });
  },

  async handle(ctx, _input, prepared) {
    const { company, now, audit } = ctx;
    if ('refusal' in prepared) throw prepared.refusal;
    const { check } = prepared;
    const alarm = await recordCheck(ctx, check);
    audit({
      action: 'verifactu.integrity_checked',
      object: 'company',
      object_id: company.company_id,
      details: { records: check.counts.records, fault_count: check.fault_count },
    });
    return { data: presentCheck(company.company_id, check, alarm, now) };
  },
});

/** @throws 422 parameter_invalid for an empty part; business_rule_violation for more than a call checks */
function rangeOf(
  { from_position, to_position }: { from_position?: number; to_position?: number },
  { records, events }: Ends,
): ChainRange | null {
  const last = records.last?.position ?? 0;
  const is_whole = from_position === undefined && to_position === undefined;
  const from = from_position ?? 1;
  const to = Math.min(to_position ?? last, Math.max(last, 1));
  if (!is_whole && from > to)
    refuseIssues([
      invalidField('from_position', `La cadena llega a la posición ${last}, y la parte está vacía.`),
    ]);
  const size = to - from + 1 + (is_whole ? (events.last?.position ?? 0) : 0);
  if (size > recordsMax) {
    const reason = `son ${size} registros y eventos; una llamada comprueba hasta ${recordsMax} registros con from_position y to_position, y «folio verify» todos.`;
    throw fail(c.business_rule_violation, { param: 'from_position', values: { reason } });
  }
  return is_whole ? null : { from, to };
}
