/**
 * A client's answer on the public page of an offer: the moves of `accept` and `reject` as the API makes them, with a proof and
 * messages (ADR 45). No catalogue has these operations, so only the page calls them.
 */
import { createHash } from 'node:crypto';
import { EMAIL_ADDRESS_MAX, isEmailAddress } from '../../domain/email-address.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type Ctx, defineOperation, type Operation } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { Name, Nullable, One, Shape, Text, type TProperties, Type, Uuid } from '../../kernel/schema.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { Printable } from '../pdfs/index.ts';
import { type Family, findDocument, idOf, idParams, moveInto, paperKindOf } from '../sales/index.ts';
import { insertAcceptance } from './acceptances.store.ts';
import { tellAcceptance, tellRejection } from './answer-emails.ts';
import { moveBodies, type OfferRow } from './offer.fields.ts';

const Body = {
  accept: Shape({
    name: Name(120, { minLength: 1, description: 'Quién acepta' }),
    email: Text(EMAIL_ADDRESS_MAX, { minLength: 1, description: 'A dónde va el recibo' }),
    tax_id: Nullable(Text(20, { description: 'Su identificación fiscal' })),
    note: Nullable(Text(500, { description: 'Lo que dice al aceptar' })),
    expected_version: Type.Integer({ minimum: 1, description: 'La versión que se le mostró' }),
    ip: Text(64, { description: 'Desde dónde' }),
    user_agent: Nullable(Text(500, { description: 'Con qué navegador' })),
  }),
  reject: Shape(moveBodies.reject),
};

type Accepting = {
  name: string;
  email: string;
  tax_id: string | null;
  note: string | null;
  expected_version: number;
  ip: string;
  user_agent: string | null;
};

export function acceptOnPage<R extends OfferRow>(family: Family<R>): Operation {
  return onPage(family, 'accept', Body.accept, async (ctx, id, sent) => {
    const { ip, user_agent, email, ...said } = sent as Accepting;
    if (!isEmailAddress(email)) refuseIssues([invalidField('email', 'No es una dirección de correo.')]);
    const { document } = await moveInto(ctx, family, id, 'accept', said);
    const printable = await printableOf(ctx, family, id);
    const { name, tax_id, note } = said;
    await insertAcceptance(ctx.tx, ctx.company.company_id, {
      id: newId(),
      document_kind: family.object,
      document_id: id,
      version: document.content_version,
      name,
      email,
      tax_id,
      note,
      ip,
      user_agent,
      shown_sha256: shownHash(printable),
      accepted_at: ctx.now.toISOString(),
    });
    const language = printable.document.language;
    await tellAcceptance(ctx, family, document, { name, email, tax_id, note, language });
  });
}

export function rejectOnPage<R extends OfferRow>(family: Family<R>): Operation {
  return onPage(family, 'reject', Body.reject, async (ctx, id, sent) => {
    const { document } = await moveInto(ctx, family, id, 'reject', sent);
    await tellRejection(ctx, family, document);
  });
}

const descriptions = {
  accept:
    'Anota que el cliente ha aceptado el documento que se le mostró, y guarda la prueba. Envía un recibo a quien acepta y un aviso a la empresa. Se rechaza si el documento ha cambiado (version_conflict) o ya no se puede aceptar (invalid_status_transition).',
  reject:
    'Anota que el cliente no acepta el documento, y por qué si lo dice. Envía un aviso a la empresa. Se rechaza si el documento ya no se puede rechazar (invalid_status_transition).',
};

function onPage<R extends OfferRow>(
  family: Family<R>,
  move: 'accept' | 'reject',
  body: ReturnType<typeof Shape<TProperties>>,
  answer: (ctx: Ctx, id: string, sent: Record<string, unknown>) => Promise<void>,
): Operation {
  const { object, collection } = family;
  return defineOperation({
    name: `${move}_${object}_on_page`,
    method: 'POST',
    path: `/i/:${object}/${move}`,
    scope: null,
    tag: collection,
    summary: 'La respuesta del cliente en la página pública.',
    description: descriptions[move],
    transaction: 'own',
    idempotency: 'none',
    irreversible: move === 'accept',
    reaches_outside: true,
    // Nobody was shown a draft, so none takes its number here.
    events: [family.states.events[move] ?? []].flat(),
    mcp: false,
    status: 200,
    params: idParams(family),
    body,
    output: One(Type.Object({ id: Uuid })),
    errors: [c.resource_not_found, c.invalid_status_transition, c.version_conflict],

    async handle(ctx, { params, body: sent }) {
      const id = idOf(family, params);
      const row = await findDocument(ctx.tx, family, ctx.company.company_id, id);
      // The API accepts a draft, too. Nobody was shown one.
      if (!row || row.status === 'draft') throw fail(c.resource_not_found, { param: object });
      if (!ctx.company.public_acceptance) {
        const reason = 'la empresa no recibe respuestas en la página.';
        throw fail(c.invalid_status_transition, { param: 'status', values: { reason } });
      }
      await answer(ctx, id, sent as Record<string, unknown>);
      return { data: { id } };
    },
  });
}

/** The document as it is after the move. The move's transaction holds its row. */
async function printableOf<R extends OfferRow>(ctx: Ctx, family: Family<R>, id: string): Promise<Printable> {
  const { tx, ports, company } = ctx;
  const found = await ports.documents[paperKindOf(family)].find(tx, company.company_id, id);
  if (!found) throw new Error(`A ${family.object} that was accepted is not there.`);
  return found;
}

/** Page and PDF show these texts. The logo counts by the hash of its bytes. */
function shownHash({ document, logo_hash }: Printable): string {
  const { logo, ...texts } = document;
  const shown = JSON.stringify([texts, logo?.alternative_text ?? null, logo_hash]);
  return createHash('sha256').update(shown).digest('hex');
}
