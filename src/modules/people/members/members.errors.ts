import { defineProblems } from '../../../kernel/problem.ts';

const conflict = { status: 409, type: 'invalid_request_error' } as const;

export const memberErrors = defineProblems({
  last_owner: {
    ...conflict,
    message: {
      es: 'La empresa se quedaría sin propietario.',
      en: 'The company would be left without an owner.',
    },
    help: {
      es: 'Una empresa con personas tiene siempre un propietario. Dé antes ese papel a otra persona.',
      en: 'A company with people always has an owner. Give that role to somebody else first.',
    },
  },
  already_member: {
    ...conflict,
    message: {
      es: 'Esa persona ya tiene un papel en la empresa.',
      en: 'That person has a role in the company already.',
    },
    help: {
      es: 'Cambie su papel en lugar de invitarla otra vez.',
      en: 'Change their role instead of inviting them again.',
    },
  },
  too_many_invitations: {
    status: 429,
    type: 'rate_limit_error',
    message: {
      es: 'Se han pedido demasiadas invitaciones en poco tiempo.',
      en: 'Too many invitations were asked for in a short time.',
    },
    help: {
      es: 'En un cuarto de hora, una empresa invita tres veces a una dirección y envía veinte invitaciones en total; una dirección recibe diez. Espere lo que indica Retry-After.',
      en: 'In a quarter of an hour, a company invites an address three times and sends twenty invitations in all; an address receives ten. Wait for what Retry-After says.',
    },
  },
  members_limit_reached: {
    ...conflict,
    message: {
      es: 'La empresa ha llegado a {limit} personas e invitaciones.',
      en: 'The company has reached {limit} people and invitations.',
    },
    help: {
      es: 'Quite a quien ya no trabaja con la empresa, o cancele invitaciones que nadie ha aceptado.',
      en: 'Remove who no longer works with the company, or cancel invitations that nobody accepted.',
    },
  },
});
