/** Refusals of requests that come from the dashboard's own pages. */
import { defineProblems } from '../../kernel/problem.ts';

export const dashboardErrors = defineProblems({
  session_required: {
    status: 401,
    type: 'authentication_error',
    message: 'Hay que iniciar sesión.',
    help: 'La sesión no existe, ha caducado o terminó al cambiar la contraseña. Inicie sesión otra vez. Las claves de API se usan bajo /v1.',
  },
  foreign_request: {
    status: 403,
    type: 'authorization_error',
    message: 'La petición no llegó desde una página de este servicio.',
    help: 'Lo que cambia algo debe llegar con el origen del servicio y con el valor csrf de la sesión en la cabecera X-Folio-CSRF. Recargue la página.',
  },
  companies_limit_reached: {
    status: 409,
    type: 'invalid_request_error',
    message: 'Una persona puede tener un papel en 50 empresas como máximo.',
    help: 'Deje alguna empresa antes de crear otra.',
  },
  proof_required: {
    status: 403,
    type: 'authorization_error',
    message: 'Confirme que es usted.',
    help: 'Lo que cambia la cuenta de una persona pide una prueba de hace menos de diez minutos: abra /confirm y vuelva.',
  },
});
