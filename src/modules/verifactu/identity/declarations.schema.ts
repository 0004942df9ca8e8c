/** In the order of the law. */
import type { Ports } from '../../../kernel/ports.ts';
import { DayText, Described, Nullable, Type } from '../../../kernel/schema.ts';
import type { Declarant } from './rules/declaration.ts';

export const Declaration = Type.Object({
  id: Type.String({ description: 'La versión declarada; sirve de cursor' }),
  object: Type.Literal('declaracion_responsable'),
  title: Type.String({ description: 'Título de la declaración' }),
  is_configured: Type.Boolean({ description: 'Hay un productor que declara; si no, lo suyo es nulo' }),
  system_name: Type.String({ description: 'Nombre del sistema, no su código' }),
  system_code: Type.String({ description: 'IdSistemaInformatico' }),
  version: Type.String({ description: 'Versión del sistema' }),
  components: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Nombre' }),
      description: Type.String({ description: 'Qué hace' }),
    }),
    { description: 'Componentes del sistema' },
  ),
  functions: Type.String({ description: 'Lo que hace el sistema' }),
  is_verifactu_only: Type.Boolean({ description: 'Funciona solo en modo VeriFactu' }),
  supports_many_taxpayers: Type.Boolean({ description: 'Lo pueden usar varios obligados tributarios' }),
  signature_types: Type.Array(Type.String(), { description: 'Firmas que usa' }),
  producer_name: Nullable(Type.String({ description: 'Nombre del productor' })),
  producer_tax_id: Nullable(Type.String({ description: 'Identificación fiscal del productor' })),
  producer_address: Nullable(Type.String({ description: 'Dirección del productor' })),
  statement: Nullable(Type.String({ description: 'Lo que declara' })),
  signed_on: Described(Nullable(DayText), 'Fecha de la declaración, YYYY-MM-DD'),
  place: Nullable(Type.String({ description: 'Lugar de la declaración' })),
  text: Nullable(Type.String({ description: 'La declaración entera, para leerla o imprimirla' })),
  notice: Nullable(Type.String({ description: 'Por qué no hay declaración' })),
});

/** Null until all of it is configured. */
export function declarantOf({ system, declarant }: Ports): Declarant | null {
  const { address, place } = declarant;
  if (!system.is_configured || !address || !place) return null;
  return { producer: system.producer, address, place };
}
