/** Sends a document by e-mail. A draft takes its number in the transaction that queues the message. */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { recipientsOf } from '../../../domain/sales/recipients.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, OneWarned, type Static } from '../../../kernel/schema.ts';
import { getIssuer } from '../../companies/index.ts';
import { findDocumentParties } from '../../contacts/index.ts';
import { emailErrors, refuseOverDay, storeEmails } from '../../emails/index.ts';
import { documentOutput, presentDocument } from '../documents.schema.ts';
import { findBundle } from '../documents.store.ts';
import { type BundleOf, type Family, type FamilyIssuing, statusOn } from '../family.ts';
import { MessageInput } from '../message-input.ts';
import { planEmail, type PlannedEmail, plannedEmailBlock, writeEmail } from '../planned-email.ts';
import { moveInto } from '../moves.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

type Message = Static<typeof MessageInput>;

/** Settles the recipients. It writes nothing. */
async function prepare<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  id: string,
  message: Message = {},
): Promise<{ bundle: BundleOf<R, E>; email: PlannedEmail }> {
  const { company_id } = ctx.company;
  const bundle = await findBundle(ctx.tx, family, company_id, id);
  if (!bundle) throw fail(c.resource_not_found, { param: family.object });
  const { client_id } = bundle.document;
  family.states.next(statusOn(family, bundle.document, ctx.today), 'send');
  await refuseOverDay(ctx);
  const [clients, issuer] = await Promise.all([
    findDocumentParties(ctx.tx, company_id, family.party, client_id === null ? [] : [client_id]),
    getIssuer(ctx.tx, company_id),
  ]);
  const own = family.mail?.addresses?.(bundle.document) ?? [];
  const asked = message.to?.length ? message : { ...message, to: [...own] };
  return { bundle, email: planEmail(recipientsOf(asked, clients[0], family), issuer, message) };
}

export function sendDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
  issuing?: FamilyIssuing<R, E>,
): Operation {
  const shared = {
    ...verbTextsOf(family, said),
    method: 'POST',
    path: `${pathOf(family)}/send`,
    mcp: true,
    status: 200,
    reaches_outside: true,
    params: idParams(family),
    body: MessageInput,
    body_optional: true,
    output: issuing ? OneWarned(documentOutput(family), issuing.warning_codes) : One(documentOutput(family)),
    errors: [
      c.resource_not_found,
      c.invalid_status_transition,
      c.missing_required_param,
      c.business_rule_violation,
      emailErrors.email_limit_exceeded,
      ...(said.errors ?? []),
    ],
  } as const;
  if (issuing)
    return defineOperation({
      ...shared,
      transaction: 'issuing',
      async handle(ctx, { params, body }) {
        const { bundle, email } = await prepare(ctx, family, idOf(family, params), body);
        return issuing.planSending(ctx, bundle, email);
      },
      commit: issuing.commit,
    });
  return defineOperation({
    ...shared,
    transaction: 'own',
    async handle(ctx, { params, body }) {
      const id = idOf(family, params);
      const { email } = await prepare(ctx, family, id, body);
      const moved = await moveInto(ctx, family, id, 'send');
      await storeEmails(ctx, [writeEmail(ctx, family, email, moved.document)]);
      return { data: { ...presentDocument(family, moved, ctx), ...plannedEmailBlock(ctx, email) } };
    },
  });
}
