import { defineWords } from '../../app/words.ts';

export const clientPageWords = defineWords(
  {
    title: 'Clientes',
    about: 'A quién factura. Un documento toma los datos del cliente el día en que se emite.',
    create: 'Nuevo cliente',
    create_action: 'Crear el cliente',
    created: 'El cliente está creado.',
    edit: 'Editar el cliente',
    saved: 'El cliente está guardado.',
    empty_title: 'Todavía no hay ningún cliente',
    empty_text: 'Cree el primero para hacerle una factura completa.',
    details: 'Datos del cliente',
    tax_id_hint: 'Español. Sin él, solo facturas simplificadas o la identificación de abajo.',
    archived_told: 'El cliente está archivado.',
    unarchived_told: 'El cliente vuelve a estar en uso.',
    other: 'Proveedor',
  },
  {
    title: 'Clients',
    about: 'Whom you invoice. A document takes the client’s data on the day that it is issued.',
    create: 'New client',
    create_action: 'Create the client',
    created: 'The client is made.',
    edit: 'Edit the client',
    saved: 'The client is saved.',
    empty_title: 'There is no client yet',
    empty_text: 'Make the first one to write them a full invoice.',
    details: 'About the client',
    tax_id_hint: 'Spanish. Without it, only simplified invoices or the document below.',
    archived_told: 'The client is archived.',
    unarchived_told: 'The client is in use again.',
    other: 'Supplier',
  },
);

export const invoiceAction = defineWords({ invoice: 'Nueva factura' }, { invoice: 'New invoice' });
