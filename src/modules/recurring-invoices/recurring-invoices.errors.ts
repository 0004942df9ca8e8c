import { defineProblems } from '../../kernel/problem.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

export const recurringErrors = defineProblems({
  recurring_invoice_already_paused: {
    ...refused,
    message: 'La factura recurrente ya está en pausa.',
    help: 'No hay nada que pausar: no se hará ninguna factura hasta que se reanude.',
  },
  recurring_invoice_already_active: {
    ...refused,
    message: 'La factura recurrente ya está activa.',
    help: 'No hay nada que reanudar: next_run_at dice cuándo hará la próxima factura.',
  },
  recurring_invoice_cancelled_cannot_resume: {
    ...refused,
    message: 'La factura recurrente está cancelada y no se reanuda.',
    help: 'Una cancelación es definitiva. Duplique la factura recurrente o cree otra.',
  },
  recurring_invoice_completed_cannot_resume: {
    ...refused,
    message: 'La factura recurrente ha terminado y no se reanuda.',
    help: 'Ya hizo todas sus facturas o pasó su fecha final. Duplíquela o cree otra.',
  },
  recurring_invoice_not_found: {
    ...refused,
    message: 'La factura recurrente no existe.',
    help: 'Solo en failures de las operaciones en bloque: el id no es de ninguna factura recurrente de la empresa.',
  },
  too_many_missed_occurrences: {
    ...refused,
    message: 'Se han perdido más de 12 facturas, y la factura recurrente queda en pausa.',
    help: 'El servicio no hace de una vez tantas facturas atrasadas. Solo en last_error y en los eventos: haga a mano las que falten y reanude.',
  },
});
