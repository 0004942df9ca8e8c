/** Turns a document into a draft of another family, once. It never issues. */
import type { DocumentRow, LineRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { invalidParam, missingParam } from '../../../kernel/resource-input.ts';
import { Enum, OneWarned, Shape, type TProperties, type TSchema, Type } from '../../../kernel/schema.ts';
import { PlanStale } from '../../../platform/issuing-call.ts';
import { type ConversionInput, type ConversionTarget, draftFrom } from '../conversions.ts';
import { findSourcesOf } from '../document-links.ts';
import { contentInput, documentOutput, externalIdInput, presentDocument } from '../documents.schema.ts';
import { findBundle, findByExternalIds, lockDocument, withParts } from '../documents.store.ts';
import { dryRunOutput, isDryRun, presentDryRun } from '../dry-run.ts';
import { type BundleOf, type Family, statusOn } from '../family.ts';
import { keepConversion } from '../keep-conversion.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

const warningTexts = {
  zero_rate_line_without_exemption: (line: number) =>
    `La línea ${line} va al 0 % como sujeta y no exenta: si está exenta, indique la causa en exemption_reason antes de emitir.`,
} as const;
export const conversionWarningCodes = ['zero_rate_line_without_exemption'] as const;

type Warned = { warnings?: string[]; warning_codes?: string[] };

/** Root members of the answer, only when there are any. */
export function warningsOf(lines: readonly LineRow[]): Warned {
  const found = lines.flatMap(({ qualification, tax_rate }, index) =>
    qualification === 'S1' && Number(tax_rate) === 0 ? [index + 1] : [],
  );
  if (found.length === 0) return {};
  return {
    warnings: found.map((line) => warningTexts.zero_rate_line_without_exemption(line)),
    warning_codes: [...conversionWarningCodes],
  };
}

type Options = {
  /** The first is taken when the body names none. */
  targets: readonly [ConversionTarget, ...ConversionTarget[]];
  is_target_required?: boolean;
};

type Body = ConversionInput & { target?: string; dry_run?: boolean };

/** Members of the body of a conversion. */
export function conversionBody({
  targets,
  is_target_required,
}: Pick<Options, 'targets' | 'is_target_required'>): TProperties {
  const { series_id, issued_on } = contentInput(targets[0].family);
  const kinds = targets.map(({ family }) => family.object) as [string, ...string[]];
  const left_out = is_target_required ? 'es obligatorio' : `${kinds[0]} si se omite`;
  return {
    target: Type.Optional(Enum(kinds, { description: `En qué se convierte; ${left_out}` })),
    series_id,
    issued_on,
    ...Object.assign({}, ...targets.map(({ input }) => input)),
    external_id: externalIdInput(
      'Clave del nuevo documento en su programa, única entre los de su clase: repetir la llamada con ella responde con lo que ya existe',
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'true: no guarda nada, y dice todo lo que impediría la conversión' }),
    ),
  };
}

/** @throws 422 missing_required_param; parameter_invalid for a member that only another target has */
function targetOf({ targets, is_target_required }: Options, body: Body): ConversionTarget {
  if (body.target === undefined && is_target_required)
    throw missingParam(
      'target',
      `Indique en qué se convierte: ${targets.map(({ family }) => family.object).join(', ')}.`,
    );
  const target = targets.find(({ family }) => family.object === body.target) ?? targets[0];
  for (const other of targets) {
    for (const param of Object.keys(other.input)) {
      if (param in target.input || body[param] === undefined) continue;
      const message = `No va con el destino ${target.family.object}.`;
      throw invalidParam(param, message);
    }
  }
  return target;
}

/**
 * The answer with the document of the external id, if all of these sources became it.
 * @throws Problem through `reasons`: 409 idempotency_key_reused
 */
export async function replayOf(
  ctx: Ctx,
  target: ConversionTarget,
  sources: readonly { object: string; id: string }[],
  body: Pick<Body, 'external_id'>,
  reasons: Reasons,
) {
  const { tx } = ctx;
  const { company_id } = ctx.company;
  if (!body.external_id) return undefined;
  const { family } = target;
  const [known] = await findByExternalIds(tx, family, company_id, [body.external_id]);
  if (!known) return undefined;
  const linked = await findSourcesOf(tx, company_id, { object: family.object, id: known.id });
  const is_same =
    linked.length === sources.length &&
    sources.every(({ object, id }) =>
      linked.some(({ source_kind, source_id }) => source_kind === object && source_id === id),
    );
  if (!is_same) {
    const subcode = 'unattended_replay_mismatch';
    reasons.refuse(fail(c.idempotency_key_reused, { param: 'external_id', subcode }));
    return undefined;
  }
  const [bundle] = await withParts(tx, family, company_id, [known]);
  const told = warningsOf(bundle!.lines);
  const data = presentDocument(family, bundle!, ctx);
  return { told, answer: { status: 200, is_repeat: true, body: { data, ...told } } };
}

export function convertDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  options: Options,
  said: VerbTexts,
): Operation {
  const { object } = family;
  const outputs = options.targets.map(({ family: target }) => documentOutput(target));
  const output: TSchema = outputs.length === 1 ? outputs[0]! : Type.Union(outputs);
  const dry = dryRunOutput('can_convert', family.the);
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'POST',
    path: `${pathOf(family)}/convert`,
    transaction: 'own',
    mcp: true,
    rate_of: ({ body }) => (isDryRun(body) ? 'read' : 'write'),
    params: idParams(family),
    body: Shape(conversionBody(options)),
    body_optional: true,
    ...(options.is_target_required ? { asks_for: ['target'] } : {}),
    status: 201,
    other_statuses: [
      {
        status: 200,
        when: 'La conversión ya estaba hecha con este external_id, y se responde con lo que creó; o la llamada era de prueba (dry_run).',
        output: OneWarned(Type.Union([...outputs, dry]), conversionWarningCodes),
      },
    ],
    output: OneWarned(output, conversionWarningCodes),
    errors: [
      c.resource_not_found,
      c.invalid_status_transition,
      c.missing_required_param,
      c.business_rule_violation,
      ...(said.errors ?? []),
    ],
    events: [...options.targets.map((one) => `${one.family.object}.created`), ...(said.events ?? [])],
    external_ids: ({ body }) => [(body as Body | undefined)?.external_id ?? []].flat(),

    // The lock is sent first, so what is read stands behind it.
    prefetch_locks: true,
    prefetch: (tx, company_id, { params, body }) => {
      const id = idOf(family, params);
      return Promise.all([
        isDryRun(body) ? undefined : lockDocument(tx, family, company_id, id),
        findBundle(tx, family, company_id, id),
      ]);
    },

    async handle(ctx, { params, body: sent }, [locked, bundle]) {
      const body = (sent ?? {}) as Body;
      const id = idOf(family, params);
      const is_dry = isDryRun(body);
      const reasons = new Reasons(is_dry);
      const dry = (told: Warned) => ({
        status: 200,
        body: { data: presentDryRun('can_convert', id, reasons), ...told },
      });
      const target = targetOf(options, body);
      if (!bundle || (!is_dry && !locked)) throw fail(c.resource_not_found, { param: object });
      // It was replaced while the lock waited.
      if (locked && locked.version !== bundle.document.version)
        throw new PlanStale('The document changed while it was waited for.');
      const replay = await replayOf(ctx, target, [{ object, id }], body, reasons);
      if (replay) return is_dry ? dry(replay.told) : replay.answer;
      const source = bundle.document;
      const standing = statusOn(family, source, ctx.today);
      const status = reasons.attempt(() => family.states.next(standing, 'convert')) ?? standing;
      const added = family.fields.addedLines?.(bundle, { company: ctx.company, reasons }) ?? [];
      const operation_on = family.operationDay?.(source) ?? null;
      const from = { object, bundle, added, operation_on };
      const draft = (await draftFrom(ctx, target, from, body, reasons)) as BundleOf<DocumentRow, object>;
      const warnings = warningsOf(draft.lines);
      if (is_dry) return dry(warnings);
      await keepConversion(ctx, family, [{ source, status }], { family: target.family, draft });
      return { status: 201, body: { data: presentDocument(target.family, draft, ctx), ...warnings } };
    },
  });
}
