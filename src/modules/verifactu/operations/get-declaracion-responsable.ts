/** The declaration of Orden HAC/1177/2024, art. 15. */
import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { declarantOf, Declaration } from '../identity/declarations.schema.ts';
import { declaredVersions } from '../identity/declarations.ts';
import { declarationOf } from '../identity/rules/declaration.ts';

export const getDeclaracionResponsable = defineOperation({
  name: 'get_declaracion_responsable',
  method: 'GET',
  path: '/v1/verifactu/declaracion-responsable',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Consulta la declaración responsable del sistema.',
  description:
    'Responde la declaración en la que el productor certifica que la versión en uso del sistema cumple la normativa de facturación: por datos y, en text, entera para leerla o imprimirla. Si en este servicio no se ha configurado quién la firma, is_configured es false y notice dice por qué. Las de otras versiones las da list_declaraciones_responsables.',
  transaction: 'read',
  mcp: true,
  output: One(Declaration),
  errors: [],
  examples: [{ title: 'La declaración de la versión en uso' }],

  async handle({ ports }) {
    const { version } = ports.system;
    const declared = declaredVersions.find((one) => one.version === version);
    if (!declared) throw new Error(`Version ${version} has no declaration in declarations.ts.`);
    return { data: declarationOf(declared, declarantOf(ports)) };
  },
});
