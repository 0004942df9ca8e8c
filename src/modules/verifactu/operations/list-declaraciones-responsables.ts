import { defineClosedList } from '../../../kernel/closed-list.ts';
import { declarantOf, Declaration } from '../identity/declarations.schema.ts';
import { declaredVersions } from '../identity/declarations.ts';
import { declarationOf } from '../identity/rules/declaration.ts';

export const listDeclaracionesResponsables = defineClosedList({
  name: 'list_declaraciones_responsables',
  path: '/v1/verifactu/declaracion-responsable/history',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Lista las declaraciones responsables de cada versión.',
  description:
    'Responde una página con la declaración responsable de cada versión del sistema, la más reciente primero. La de la versión en uso la da get_declaracion_responsable.',
  mcp: true,
  item: Declaration,
  examples: [{ title: 'Todas las versiones' }],
  items(ports) {
    const declarant = declarantOf(ports);
    return declaredVersions.toReversed().map((declared) => declarationOf(declared, declarant));
  },
});
