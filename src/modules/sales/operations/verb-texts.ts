/** What a family says of an operation made by a shared verb. */
import { ofThe } from '../../../domain/sales/document-kinds.ts';
import type { InputScope } from '../../../kernel/input-scopes.ts';
import type { Effects, Example } from '../../../kernel/operation.ts';
import type { ProblemDef } from '../../../kernel/problem.ts';
import { Described, Shape, Uuid } from '../../../kernel/schema.ts';
import type { Family } from '../family.ts';

export type VerbTexts = {
  name: string;
  scope: string;
  input_scopes?: readonly InputScope[];
  summary: string;
  description: string;
  examples?: readonly Example[];
  events?: readonly string[];
  /** Besides those of the verb. */
  errors?: readonly ProblemDef[];
  effects?: Effects;
  irreversible?: boolean;
  idempotency_length?: { min: number; max: number };
  reaches_outside?: boolean;
};

export function verbTextsOf(family: Family, { errors: _, ...said }: VerbTexts) {
  return { ...said, tag: family.collection };
}

/** Named after the document: `quote`. */
export function idParams({ object, the }: Pick<Family, 'object' | 'the'>) {
  return Shape({ [object]: Described(Uuid, `Id ${ofThe(the)}`) });
}

/** `/v1/quotes/:quote` */
export function pathOf({ collection, object }: Pick<Family, 'collection' | 'object'>): string {
  return `/v1/${collection}/:${object}`;
}

export function idOf({ object }: Pick<Family, 'object'>, params: unknown): string {
  return (params as Record<string, string>)[object] ?? '';
}
