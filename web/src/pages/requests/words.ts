import { defineWords } from '../../app/words.ts';

export const requestWords = defineWords(
  {
    title: 'Peticiones',
    about: 'Lo que sus programas han pedido a la API y qué se les respondió.',
    operation: 'Operación',
    status: 'Respuesta',
    method: 'Método',
    code: 'Código de error',
    request: 'Id de la petición',
    who: 'Quién',
    duration: 'Duración',
    when: 'Cuándo',
    empty_title: 'Todavía no hay ninguna petición',
    empty_text: 'Llame a la API con una clave y lo verá aquí.',
  },
  {
    title: 'Requests',
    about: 'What your programs asked of the API, and what they were answered.',
    operation: 'Operation',
    status: 'Answer',
    method: 'Method',
    code: 'Error code',
    request: 'Request id',
    who: 'Who',
    duration: 'Duration',
    when: 'When',
    empty_title: 'There is no request yet',
    empty_text: 'Call the API with a key, and you see it here.',
  },
);
