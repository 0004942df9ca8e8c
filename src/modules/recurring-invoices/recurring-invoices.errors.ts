import { defineProblems } from '../../kernel/problem.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

export const recurringErrors = defineProblems({
  recurring_invoice_already_paused: {
    ...refused,
    message: {
      es: 'La factura recurrente ya está en pausa.',
      en: 'The recurring invoice is paused already.',
    },
    help: {
      es: 'No hay nada que pausar: no se hará ninguna factura hasta que se reanude.',
      en: 'There is nothing to pause: no invoice is made until it is resumed.',
    },
  },
  recurring_invoice_already_active: {
    ...refused,
    message: { es: 'La factura recurrente ya está activa.', en: 'The recurring invoice is active already.' },
    help: {
      es: 'No hay nada que reanudar: next_run_at dice cuándo hará la próxima factura.',
      en: 'There is nothing to resume: next_run_at says when it makes the next invoice.',
    },
  },
  recurring_invoice_cancelled_cannot_resume: {
    ...refused,
    message: {
      es: 'La factura recurrente está cancelada y no se reanuda.',
      en: 'The recurring invoice is cancelled and is not resumed.',
    },
    help: {
      es: 'Una cancelación es definitiva. Duplique la factura recurrente o cree otra.',
      en: 'Cancelling is final. Duplicate the recurring invoice or create another.',
    },
  },
  recurring_invoice_completed_cannot_resume: {
    ...refused,
    message: {
      es: 'La factura recurrente ha terminado y no se reanuda.',
      en: 'The recurring invoice has ended and is not resumed.',
    },
    help: {
      es: 'Ya hizo todas sus facturas o pasó su fecha final. Duplíquela o cree otra.',
      en: 'It has made all its invoices, or its last day has passed. Duplicate it or create another.',
    },
  },
  recurring_invoice_not_found: {
    ...refused,
    message: { es: 'La factura recurrente no existe.', en: 'The recurring invoice does not exist.' },
    help: {
      es: 'Solo en failures de las operaciones en bloque: el id no es de ninguna factura recurrente de la empresa.',
      en: 'In failures of bulk operations alone: the id is of no recurring invoice of the company.',
    },
  },
  too_many_missed_occurrences: {
    ...refused,
    message: {
      es: 'Se han perdido más de 12 facturas, y la factura recurrente queda en pausa.',
      en: 'More than 12 invoices were missed, and the recurring invoice is paused.',
    },
    help: {
      es: 'El servicio no hace de una vez tantas facturas atrasadas. Solo en last_error y en los eventos: haga a mano las que falten y reanude.',
      en: 'The service does not make so many late invoices at once. In last_error and in events alone: make those that are missing by hand, and resume.',
    },
  },
});
