/**
 * What cannot be undone is confirmed by the person, where the client can ask. The client carries the state of the
 * question: it is bound to the tool, to all arguments, to what the question told and to the caller, and ends after ten minutes.
 */
import { createHash } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Operation } from '../../kernel/operation.ts';
import type { Engine } from '../../platform/engine.ts';
import { type NamedCompany, questionOf, termsOf } from './confirmation-text.ts';
import { makeSubject } from './confirmation-subject.ts';
import { type Made, makeTrial } from './confirmation-trial.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { invalidParams } from './refusals.ts';

const stateSeconds = 600;

export type Confirmation = ReturnType<typeof makeConfirmation>;

type Asked = {
  tool: string;
  /** A hash of all. */
  arguments: string;
  /** A hash of what the question told of the document. */
  terms?: string;
  /** Of the invoices that the call would make. */
  new_total?: string | undefined;
};

export type ConfirmationParts = {
  engine: Engine;
  catalog: readonly Operation[];
  /** The first signs, any verifies. */
  question_keys: readonly Buffer[];
  /** Whatever scopes the caller has. */
  companyOf(company_id: string): Promise<NamedCompany>;
};

export function makeConfirmation({ engine, catalog, question_keys, companyOf }: ConfirmationParts) {
  const codecs = question_keys.map((key) =>
    createRequestStateCodec<Asked>({ key, ttlSeconds: stateSeconds, bind: callerOf }),
  );

  /** @throws Error when no key made the state, or for another caller, or too long ago */
  async function verify(state: string, ctx: ServerContext): Promise<Asked> {
    const tries = codecs.map((codec) => codec.verify(state, ctx));
    return Promise.any(tries);
  }

  const see = makeSubject(engine, catalog);
  const tryOut = makeTrial(engine, catalog);

  async function managedOf({ visit: { caller } }: Exchange): Promise<NamedCompany | null> {
    return caller && caller.owner_company_id !== caller.key_company_id ? companyOf(caller.company_id) : null;
  }

  async function question(exchange: Exchange, operation: Operation, asked: Asked, ctx: ServerContext) {
    const [seen, managed] = await Promise.all([see(exchange.visit, operation), managedOf(exchange)]);
    const made: Made = await tryOut(exchange.visit, operation, seen);
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: questionOf(operation, exchange.visit.arrival.input, seen, { managed, made }),
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Confirmo que se haga' } },
            required: ['confirm'],
          },
        }),
      },
      requestState: await codecs[0]!.mint(
        { ...asked, terms: hashOf(termsOf(seen, paramsOf(exchange))), new_total: made.new_total },
        ctx,
      ),
    });
  }

  /**
   * A draft may have changed since the question, or a price. What is gone by now, or would be refused, is the engine's to refuse, or to
   * answer again.
   */
  async function isAsTold(exchange: Exchange, operation: Operation, told: Asked): Promise<boolean> {
    const seen = await see(exchange.visit, operation);
    if (seen !== null && hashOf(termsOf(seen, paramsOf(exchange))) !== told.terms) return false;
    const { new_total, is_accepted } = await tryOut(exchange.visit, operation, seen);
    return !is_accepted || new_total === told.new_total;
  }

  return {
    verify,

    /**
     * @returns the question, or what a refusal answers; undefined when the call may run
     * @throws 403, 404 or 422 before anybody is asked
     */
    async ask(
      exchange: Exchange,
      operation: Operation,
      given: Record<string, unknown>,
      ctx: ServerContext,
    ): Promise<InputRequiredResult | CallToolResult | undefined> {
      if (!operation.irreversible || !canAsk(ctx)) return undefined;
      engine.check(exchange.visit);
      if (operation.irreversible_for?.(exchange.visit.arrival.input) === false) return undefined;
      const asked = { tool: operation.name, arguments: hashOfArguments(given) };
      const state = ctx.mcpReq.requestState<Asked>();
      if (state === undefined) return question(exchange, operation, asked, ctx);
      if (state.tool !== asked.tool || state.arguments !== asked.arguments)
        throw new ProtocolError(invalidParams, 'Invalid or expired requestState', {
          reason: 'invalid_request_state',
        });
      const responses = ctx.mcpReq.inputResponses;
      if (inputResponse(responses, 'confirm').kind === 'missing')
        return question(exchange, operation, asked, ctx);
      if (acceptedContent(responses, 'confirm')?.confirm !== true) return refused;
      return (await isAsTold(exchange, operation, state))
        ? undefined
        : question(exchange, operation, asked, ctx);
    },
  };
}

const refused: CallToolResult = {
  content: [{ type: 'text', text: 'No se ha confirmado: no se ha hecho nada ni se ha guardado nada.' }],
  isError: true,
};

/** A client that says no more than `elicitation` asks by forms. */
function canAsk(ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as
    | { elicitation?: Record<string, unknown> }
    | undefined;
  const asks = capabilities?.elicitation;
  return asks !== undefined && (Object.keys(asks).length === 0 || asks.form !== undefined);
}

function callerOf(ctx: ServerContext): string {
  const { principal, company_id } = exchangeOf(ctx.http?.authInfo).caller;
  return JSON.stringify([principal.kind, principal.id, company_id]);
}

const paramsOf = ({ visit }: Exchange): unknown => visit.arrival.input.params;

function hashOfArguments(given: Record<string, unknown>): string {
  const members = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify(members));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
