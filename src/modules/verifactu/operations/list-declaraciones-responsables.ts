import { defineOperation } from '../../../kernel/operation.ts';
import { Page } from '../../../kernel/schema.ts';
import { declarantOf, Declaration } from '../identity/declarations.schema.ts';
import { declaredVersions } from '../identity/declarations.ts';
import { declarationOf } from '../identity/rules/declaration.ts';

export const listDeclaracionesResponsables = defineOperation({
  name: 'list_declaraciones_responsables',
  method: 'GET',
  path: '/v1/verifactu/declaracion-responsable/history',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Lista las declaraciones responsables de cada versión.',
  description:
    'Responde en una sola página la declaración responsable de cada versión del sistema, la más reciente primero.',
  transaction: 'read',
  mcp: true,
  output: Page(Declaration),
  errors: [],
  examples: [{ title: 'Todas las versiones' }],

  async handle({ ports }) {
    const declarant = declarantOf(ports);
    const data = declaredVersions.toReversed().map((declared) => declarationOf(declared, declarant));
    return { data, has_more: false, next_cursor: null };
  },
});
