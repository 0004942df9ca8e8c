/** Creates a draft, or a document that leaves draft at once. A known `external_id` gets its document. */
import { isDeepStrictEqual } from 'node:util';
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import {
  type Ctx,
  defineOperation,
  largestBody,
  type Operation,
  type OtherStatus,
} from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { One, Shape, type TSchema, Type } from '../../../kernel/schema.ts';
import { withShortLockWait } from '../../../platform/idempotency.ts';
import {
  contentOf,
  type DocumentBody,
  documentInput,
  documentOutput,
  presentDocument,
} from '../documents.schema.ts';
import { findByExternalIds, insertDocuments, withParts } from '../documents.store.ts';
import { dryRunOutput, presentDryRun } from '../dry-run.ts';
import { readFacts } from '../facts.ts';
import type { BundleOf, Family, SentContent } from '../family.ts';
import { movedDocument } from '../moves.ts';
import { tellMove } from '../tell-move.ts';
import { answered, weighed } from '../warnings.ts';
import { checkNumbering } from '../number-draft.ts';
import { writeLast } from '../write-faults.ts';
import { hashOf, newDraft, wantedBy } from '../new-draft.ts';
import { type VerbTexts, verbTextsOf } from './verb-texts.ts';

type Options = { mark_pending?: boolean; dry_run?: boolean };

const options = Type.Optional(
  Shape(
    {
      mark_pending: Type.Optional(
        Type.Boolean({ description: 'true: deja de ser un borrador y toma su número en la misma llamada' }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ description: 'true: no guarda nada, y dice todo lo que impediría la llamada' }),
      ),
    },
    { description: 'Qué más hace la llamada' },
  ),
);

const optionsOf = (body: unknown) =>
  ((body as { options?: Options } | null | undefined)?.options ?? {}) as Options;

export function createDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const { object } = family;
  const output = documentOutput(family);
  const input = documentInput(family);
  // A template has no draft to leave.
  const leaves_draft = !family.creation && family.states.statuses.includes('pending');
  /** The move out of draft that the call makes. */
  const moveOf = (body: unknown): string | null => {
    if (family.creation) return family.creation.leaves(body as SentContent) ? family.creation.move : null;
    return optionsOf(body).mark_pending === true ? 'mark_pending' : null;
  };
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'POST',
    path: `/v1/${family.collection}`,
    transaction: 'own',
    mcp: true,
    ...(leaves_draft ? { input_scopes: markPendingScope(family.collection) } : {}),
    ...(leaves_draft || family.creation ? irreversibleUnlessDraft(moveOf) : {}),
    // A dry run writes nothing, so it counts as a read.
    rate_of: ({ body }) => (optionsOf(body).dry_run === true ? 'read' : 'write'),
    other_statuses: [otherStatus(family, leaves_draft ? output : null)],
    body_limit: largestBody,
    body: leaves_draft ? Shape({ ...input.properties, options }) : input,
    output: answered(family, output),
    errors: [
      c.missing_required_param,
      c.business_rule_violation,
      lineErrors.amount_reconciliation_failed,
      ...(said.errors ?? []),
    ],
    events: [`${object}.created`, ...(said.events ?? [])],
    prefetch: (tx, company_id, { body }) => {
      const content = contentOf(family, body);
      return readFacts(tx, family, company_id, [wantedBy(family, content, moveOf(body) !== null)]);
    },
    external_ids: ({ body }) => [(body as DocumentBody).external_id ?? []].flat(),

    async handle(ctx, { body: sent }, rows) {
      const {
        tx,
        company: { company_id },
      } = ctx;
      const { dry_run = false } = optionsOf(sent);
      const move = moveOf(sent);
      const { options: _, ...body } = contentOf(family, sent);
      const ids = body.external_id ? [body.external_id] : [];
      const [known] = await findByExternalIds(tx, family, company_id, ids);
      const reasons = new Reasons(dry_run);
      const replay = async () => {
        if (dry_run) return toldRun(known!.id, reasons);
        const [bundle] = await withParts(tx, family, company_id, known ? [known] : []);
        const data = presentDocument(family, bundle!, ctx);
        return { status: 200, is_repeat: true, body: { data } };
      };
      // The hash recognises the same request, since prices and defaults may have changed.
      if (known?.external_hash === hashOf(family, body)) return replay();
      const {
        facts,
        regime_keys: __,
        ...draft
      } = await newDraft(ctx, family, body, {
        is_numbered: move !== null,
        reasons,
        rows,
      });
      if (known) {
        const is_same =
          known.external_total === draft.document.external_total &&
          tellsTheSame(family, body, known, draft.document);
        if (!is_same) reasons.refuse(otherRequest());
        else if (reasons.problems.length === 0) return replay();
      }
      const bundle = { ...draft, ...family.parts?.none?.() } as BundleOf<R, E>;
      if (dry_run) {
        if (move !== null) tryPending(ctx, family, draft.document, body, facts.has_client_fault, reasons);
        return toldRun(null, reasons);
      }
      ctx.emit(`${object}.created`, draft.document.id);
      const writes: Promise<unknown>[] = [];
      const weighing = weighed(ctx, family, null, draft.document);
      const document =
        move === null
          ? draft.document
          : await movedDocument(ctx, family, bundle, move, body, { writes, facts });
      const warnings = await weighing(document);
      const made = { ...bundle, document };
      const insert = () => insertDocuments(tx, family, company_id, [made]);
      // Another process may be taking the same external id. The engine waits for it without a connection.
      const inserts = ids.length > 0 ? withShortLockWait(tx, insert) : insert();
      await writeLast(ctx, family, [...writes, ...inserts]);
      if (move !== null) tellMove(ctx, family, { move, before: draft.document, after: document });
      await family.written?.(ctx, null, document);
      return { data: presentDocument(family, made, ctx), ...warnings };
    },
  });
}

/** @param id null: no document has the external id */
const toldRun = (id: string | null, reasons: Reasons) => ({
  status: 200,
  body: { data: presentDryRun('can_create', id, reasons) },
});

const markPendingScope = (collection: string) => [
  { param: 'options.mark_pending', scope: `${collection}:transition` },
];

/** A draft takes no number. */
const irreversibleUnlessDraft = (moveOf: (body: unknown) => string | null) => ({
  irreversible: true,
  irreversible_for: ({ body }: { body: unknown }) =>
    moveOf(body) !== null && optionsOf(body).dry_run !== true,
});

/** @param output of a creation that can be tried; null when it cannot */
function otherStatus<R extends DocumentRow, E extends object>(
  { one, the }: Family<R, E>,
  output: TSchema | null,
): OtherStatus {
  const when = `Ya existe ${one} con este external_id, y se responde con lo que existe`;
  if (output === null) return { status: 200, when: `${when}.` };
  return {
    status: 200,
    when: `${when}; o la llamada era de prueba (options.dry_run).`,
    output: One(Type.Union([output, dryRunOutput('can_create', the)])),
  };
}

/** What was left out is not compared. */
function tellsTheSame<R extends DocumentRow, E extends object>(
  { fields: { telling = {} } }: Family<R, E>,
  body: DocumentBody,
  known: R,
  asked: R,
): boolean {
  return Object.entries(telling).every(
    ([member, column]) =>
      body[member] === undefined || isDeepStrictEqual(known[column as keyof R], asked[column as keyof R]),
  );
}

const otherRequest = () =>
  fail(c.idempotency_key_reused, { param: 'external_id', subcode: 'unattended_replay_mismatch' });

/** Finds what would refuse the move out of draft. The draft has checked the series already. */
function tryPending<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  document: R,
  body: SentContent,
  has_client_fault: boolean,
  reasons: Reasons,
): void {
  if (!has_client_fault) reasons.attempt(() => checkNumbering(document, ctx.today));
  const row = { ...document, issued_on: document.issued_on ?? ctx.today };
  reasons.attempt(() => family.fields.moving?.('mark_pending', row, body, ctx));
}
