import { defineWords } from '../app/words.ts';

export const newCompanyWords = defineWords(
  {
    name: 'Nombre o razón social',
    tax_id: 'NIF',
    add_company: 'Añadir una empresa',
    add_about: 'Tendrá sus propias facturas, series, claves y entorno de pruebas. Usted será su propietario.',
    allow_duplicate: 'Crear otra empresa con el mismo NIF',
    added: 'La empresa está creada',
    added_text: 'Estas son sus primeras claves: la real y la de pruebas.',
    live_key: 'Clave real',
    test_key: 'Clave de pruebas',
  },
  {
    name: 'Name',
    tax_id: 'Tax id (NIF)',
    add_company: 'Add a company',
    add_about: 'It will have its own invoices, series, keys and sandbox. You will be its owner.',
    allow_duplicate: 'Make another company with the same tax id',
    added: 'The company is made',
    added_text: 'These are its first keys: the live one and the test one.',
    live_key: 'Live key',
    test_key: 'Test key',
  },
);
