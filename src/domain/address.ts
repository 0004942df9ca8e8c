/** Companies and contacts share this shape on the wire. */
import { Nullable, Shape, Name, Text, Type } from '../kernel/schema.ts';

const part = (max: number, description: string) => Type.Optional(Nullable(Name(max, { description })));

export const Address = Shape({
  line1: part(200, 'Calle o vía; puede llevar también el número'),
  line2: part(200, 'Segunda línea, por ejemplo un polígono o un apartado'),
  number: part(20, 'Número de la calle'),
  floor: part(20, 'Piso'),
  door: part(20, 'Puerta'),
  staircase: part(20, 'Escalera'),
  postal_code: part(20, 'Código postal'),
  city: part(100, 'Población'),
  province: part(100, 'Provincia'),
  country: Type.Optional(
    Nullable(
      Text(2, {
        pattern: '^[A-Z]{2}$',
        description: 'País: código ISO 3166-1 de dos letras, por ejemplo ES',
      }),
    ),
  ),
});
