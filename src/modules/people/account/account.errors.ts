/** Refusals of changes to one's own account. */
import { defineProblems } from '../../../kernel/problem.ts';

export const accountErrors = defineProblems({
  too_many_account_changes: {
    status: 429,
    type: 'rate_limit_error',
    message: {
      es: 'Se ha cambiado la cuenta demasiadas veces en una hora. Vuelva a intentarlo en {seconds} segundos.',
      en: 'The account was changed too often within an hour. Try again in {seconds} seconds.',
    },
    help: {
      es: 'Cada cambio queda en el registro de todas las empresas de la persona, así que se admiten 30 por hora. Quitar un segundo factor y poner otra contraseña desde un enlace de correo se puede siempre. Espere lo que indica Retry-After.',
      en: 'Each change is kept in the log of every company of the person, so 30 an hour are taken. Removing a second factor, and setting another password by a link in an e-mail, are always possible. Wait for what Retry-After says.',
    },
  },
});
