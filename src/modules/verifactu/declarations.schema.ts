/** The declaration of conformity on the wire, in the order of the law. */
import type { Ports } from '../../kernel/ports.ts';
import { DayText, Nullable, Type } from '../../kernel/schema.ts';
import type { Declarant } from './rules/declaration.ts';

export const Declaration = Type.Object({
  object: Type.Literal('declaracion_responsable'),
  title: Type.String(),
  is_configured: Type.Boolean({ description: 'Hay un productor que declara; si no, lo suyo es nulo' }),
  system_name: Type.String({ description: 'Nombre del sistema, no su código' }),
  system_code: Type.String({ description: 'IdSistemaInformatico' }),
  version: Type.String(),
  components: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  functions: Type.String({ description: 'Lo que hace el sistema' }),
  is_verifactu_only: Type.Boolean(),
  supports_many_taxpayers: Type.Boolean(),
  signature_types: Type.Array(Type.String()),
  producer_name: Nullable(Type.String()),
  producer_tax_id: Nullable(Type.String()),
  producer_address: Nullable(Type.String()),
  statement: Nullable(Type.String()),
  signed_on: Nullable(DayText),
  place: Nullable(Type.String()),
  text: Nullable(Type.String({ description: 'La declaración entera, para leerla o imprimirla' })),
  notice: Nullable(Type.String({ description: 'Por qué no hay declaración' })),
});

/** Who declares conformity; null while name, tax id, address and place are not all configured. */
export function declarantOf({ system, declarant }: Ports): Declarant | null {
  const { address, place } = declarant;
  if (!system.is_configured || !address || !place) return null;
  return { producer: system.producer, address, place };
}
