import { defineWords } from '../../app/words.ts';

export const addressWords = defineWords(
  {
    line1: 'Calle',
    number: 'Número',
    staircase: 'Escalera',
    floor: 'Piso',
    door: 'Puerta',
    line2: 'Segunda línea',
    line2_hint: 'Por ejemplo un polígono o un apartado.',
    postal_code: 'Código postal',
    city: 'Población',
    province: 'Provincia',
    country: 'País',
    country_hint: 'Código de dos letras, por ejemplo ES.',
  },
  {
    line1: 'Street',
    number: 'Number',
    staircase: 'Staircase',
    floor: 'Floor',
    door: 'Door',
    line2: 'Second line',
    line2_hint: 'A business park or a post-office box, for example.',
    postal_code: 'Postal code',
    city: 'City',
    province: 'Province',
    country: 'Country',
    country_hint: 'A code of two letters, ES for example.',
  },
);
