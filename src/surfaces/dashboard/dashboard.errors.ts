/** Refusals of requests that come from the dashboard's own pages. */
import { defineProblems } from '../../kernel/problem.ts';

export const dashboardErrors = defineProblems({
  session_required: {
    status: 401,
    type: 'authentication_error',
    message: { es: 'Hay que iniciar sesión.', en: 'You have to sign in.' },
    help: {
      es: 'La sesión no existe, ha caducado o terminó al cambiar la contraseña. Inicie sesión otra vez. Las claves de API se usan bajo /v1.',
      en: 'The session does not exist, has expired, or ended when the password was changed. Sign in again. API keys are used below /v1.',
    },
  },
  foreign_request: {
    status: 403,
    type: 'authorization_error',
    message: {
      es: 'La petición no llegó desde una página de este servicio.',
      en: 'The request did not come from a page of this service.',
    },
    help: {
      es: 'Lo que cambia algo debe llegar con el origen del servicio y con el valor csrf de la sesión en la cabecera X-Folio-CSRF. Recargue la página.',
      en: 'What changes something has to come with the origin of the service and with the csrf value of the session in the header X-Folio-CSRF. Load the page again.',
    },
  },
  companies_limit_reached: {
    status: 409,
    type: 'invalid_request_error',
    message: {
      es: 'Quien tiene un papel en 50 empresas no puede crear otra.',
      en: 'A person with a role in 50 companies cannot create another.',
    },
    help: {
      es: 'Deje alguna empresa antes de crear otra.',
      en: 'Leave a company before you create another.',
    },
  },
  tax_id_has_company: {
    status: 409,
    type: 'invalid_request_error',
    message: {
      es: 'Ya tiene una empresa con este NIF, y dos empresas llevan dos cadenas de registros en la Agencia Tributaria.',
      en: 'You have a company with this tax id already, and two companies have two chains of records at the tax agency.',
    },
    help: {
      es: 'Use la empresa que ya tiene. Si quiere otra con el mismo NIF, márquelo y envíelo otra vez (allow_duplicate).',
      en: 'Use the company that you have. If you want another with the same tax id, tick that and send it again (allow_duplicate).',
    },
  },
  proof_required: {
    status: 403,
    type: 'authorization_error',
    message: { es: 'Confirme que es usted.', en: 'Confirm that it is you.' },
    help: {
      es: 'Lo que cambia la cuenta de una persona pide una prueba de hace menos de diez minutos: abra /confirm y vuelva.',
      en: 'What changes the account of a person asks for a proof of less than ten minutes ago: open /confirm and come back.',
    },
  },
});
