import type { AnswerLine } from '../../src/modules/verifactu/index.ts';

/** The authority accepts the record of this text. */
export const acceptedLine = (xml: string): AnswerLine => ({
  kind: 'alta',
  tax_id: '',
  number: '',
  issued_on: '',
  reference: /<sf:RefExterna>([^<]+)</.exec(xml)?.[1] ?? null,
  state: 'accepted',
  code: null,
  message: null,
  duplicate: null,
});
