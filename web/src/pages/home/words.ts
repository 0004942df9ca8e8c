import { defineWords } from '../../app/words.ts';

export const homeWords = defineWords(
  {
    title: 'Inicio',
    steps: {
      title: 'Hasta su primera factura',
      about: 'En pruebas nada es real: haga aquí todo el camino antes de hacerlo de verdad.',
      done: 'Hecho',
      to_do: 'Pendiente',
      key: 'Tenga una clave',
      key_text: 'Con ella llama su programa a la API.',
      key_go: 'Crear una clave',
      draft: 'Haga un borrador de factura',
      draft_text:
        'Esta es una factura simplificada, que no necesita cliente. Ponga su clave en FOLIO_API_KEY.',
      draft_go: 'Ver las facturas',
      draft_by_hand: 'Podrá revisarlo antes de emitirlo.',
      draft_new: 'Crear una factura',
      issue: 'Emítala',
      issue_text: 'Al emitirla toma su número. En real no se puede deshacer.',
      issue_go: 'Abrir el borrador',
      hook: 'Entérese de lo que pasa',
      hook_text: 'Un webhook le avisa cuando una factura se emite, se cobra o se rechaza.',
      hook_go: 'Poner un webhook',
      command: 'Orden para copiar',
    },
    attention: {
      title: 'Requiere atención',
      nothing: 'Todo está en orden.',
      nothing_of_last:
        'Todo está en orden en lo más reciente: hay más webhooks o claves de los que se miran aquí.',
      hooks: (count: number) =>
        count === 1 ? '1 webhook no recibe sus entregas' : `${count} webhooks no reciben sus entregas`,
      rejected: (count: number) =>
        count === 1
          ? '1 registro rechazado por la Agencia Tributaria'
          : `${count} registros rechazados por la Agencia Tributaria`,
      blocked: (count: number) =>
        count === 1 ? '1 registro bloqueado en VeriFactu' : `${count} registros bloqueados en VeriFactu`,
      key: (name: string) => `La clave «${name}» caduca`,
      secret: (url: string) => `El secreto anterior de ${url} deja de firmar`,
      certificate: 'El certificado caduca',
      certificate_bad: 'El certificado no se puede usar',
    },
    refusals: {
      title: 'Últimos rechazos',
      none: 'Ninguna petición rechazada en las últimas 24 horas.',
      none_of: (count: number) =>
        `Ninguna de las últimas ${count} peticiones se ha rechazado. Las anteriores no se han mirado aquí.`,
      all: 'Ver todas las peticiones',
      operation: 'Operación',
      code: 'Código',
      when: 'Cuándo',
    },
    usage: {
      title: 'Uso de la API',
      tier: 'Nivel',
      minute: 'Peticiones en el último minuto',
      limited: 'Frenadas por el límite en 24 horas',
      hours: 'Peticiones por hora',
      or_more: (count: number) => `${count} o más`,
    },
  },
  {
    title: 'Home',
    steps: {
      title: 'To your first invoice',
      about: 'In the sandbox nothing is real: go the whole way here before you do it in earnest.',
      done: 'Done',
      to_do: 'To do',
      key: 'Have a key',
      key_text: 'Your program calls the API with it.',
      key_go: 'Create a key',
      draft: 'Make a draft invoice',
      draft_text: 'This is a simplified invoice, which needs no client. Put your key into FOLIO_API_KEY.',
      draft_go: 'See the invoices',
      draft_by_hand: 'You can look at it before you issue it.',
      draft_new: 'Create an invoice',
      issue: 'Issue it',
      issue_text: 'It takes its number when it is issued. In live that cannot be undone.',
      issue_go: 'Open the draft',
      hook: 'Learn what happens',
      hook_text: 'A webhook tells you when an invoice is issued, paid or refused.',
      hook_go: 'Add a webhook',
      command: 'Command to copy',
    },
    attention: {
      title: 'Needs attention',
      nothing: 'All is well.',
      nothing_of_last:
        'All is well with the latest: there are more webhooks or keys than are looked at here.',
      hooks: (count) =>
        count === 1
          ? '1 webhook does not get its deliveries'
          : `${count} webhooks do not get their deliveries`,
      rejected: (count) =>
        count === 1 ? '1 record rejected by the tax agency' : `${count} records rejected by the tax agency`,
      blocked: (count) =>
        count === 1 ? '1 record blocked in VeriFactu' : `${count} records blocked in VeriFactu`,
      key: (name) => `The key “${name}” expires`,
      secret: (url) => `The previous secret of ${url} stops signing`,
      certificate: 'The certificate expires',
      certificate_bad: 'The certificate cannot be used',
    },
    refusals: {
      title: 'Last refusals',
      none: 'No request was refused in the last 24 hours.',
      none_of: (count) =>
        `None of the last ${count} requests was refused. Earlier ones were not looked at here.`,
      all: 'See all requests',
      operation: 'Operation',
      code: 'Code',
      when: 'When',
    },
    usage: {
      title: 'Use of the API',
      tier: 'Tier',
      minute: 'Requests in the last minute',
      limited: 'Held back by the limit in 24 hours',
      hours: 'Requests by hour',
      or_more: (count) => `${count} or more`,
    },
  },
);
