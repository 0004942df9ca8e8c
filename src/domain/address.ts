/** A postal address on the wire, the same for the company and its contacts (specification, "Resource: supplier"). */
import { Nullable, Shape, Text, Type } from '../kernel/schema.ts';

const part = (max: number) => Type.Optional(Nullable(Text(max)));

export const Address = Shape({
  line1: part(200),
  line2: part(200),
  number: part(20),
  floor: part(20),
  door: part(20),
  staircase: part(20),
  postal_code: part(20),
  city: part(100),
  province: part(100),
  country: Type.Optional(
    Nullable(Text(2, { pattern: '^[A-Z]{2}$', description: 'Código ISO 3166-1 de dos letras' })),
  ),
});
