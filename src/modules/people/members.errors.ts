import { defineProblems } from '../../kernel/problem.ts';

const conflict = { status: 409, type: 'invalid_request_error' } as const;

export const memberErrors = defineProblems({
  last_owner: {
    ...conflict,
    message: 'La empresa se quedaría sin propietario.',
    help: 'Una empresa con personas tiene siempre un propietario. Dé antes ese papel a otra persona.',
  },
  already_member: {
    ...conflict,
    message: 'Esa persona ya tiene un papel en la empresa.',
    help: 'Cambie su papel en lugar de invitarla otra vez.',
  },
  too_many_invitations: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Se han pedido demasiadas invitaciones en poco tiempo.',
    help: 'Una dirección recibe tres invitaciones en un cuarto de hora, y una empresa envía veinte. Espere lo que indica Retry-After.',
  },
  members_limit_reached: {
    ...conflict,
    message: 'La empresa ha llegado a {limit} personas e invitaciones.',
    help: 'Quite a quien ya no trabaja con la empresa, o cancele invitaciones que nadie ha aceptado.',
  },
});
