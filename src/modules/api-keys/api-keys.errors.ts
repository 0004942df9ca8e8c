import { defineProblems } from '../../kernel/problem.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

export const apiKeyErrors = defineProblems({
  api_key_not_found: {
    status: 404,
    type: 'not_found_error',
    message: { es: 'La clave de API no existe.', en: 'The API key does not exist.' },
    help: {
      es: 'El id no es de ninguna clave de esta empresa. Una clave de pruebas solo ve las claves de pruebas.',
      en: 'The id is of no key of this company. A test key sees test keys alone.',
    },
  },
  invalid_scope: {
    ...refused,
    message: {
      es: 'Hay permisos que no existen o no se pueden asignar.',
      en: 'There are scopes that do not exist or cannot be given.',
    },
    help: {
      es: 'Los permisos son los del catálogo cerrado; los reservados se reconocen, pero no se asignan.',
      en: 'Scopes are those of the closed catalogue; reserved ones are known, but not given.',
    },
  },
  scope_not_allowed_by_plan: {
    ...refused,
    message: {
      es: 'El plan de la empresa no incluye alguno de los permisos.',
      en: 'The plan of the company does not include one of the scopes.',
    },
    help: {
      es: 'El permiso pertenece a un módulo que el plan no incluye. Cambie de plan o quite el permiso.',
      en: 'The scope belongs to a module that the plan does not include. Change the plan or leave the scope out.',
    },
  },
  scope_not_allowed_in_sandbox: {
    ...refused,
    message: {
      es: 'Alguno de los permisos no se admite en el entorno de pruebas.',
      en: 'One of the scopes is not allowed in the sandbox.',
    },
    help: {
      es: 'Las claves de pruebas no pueden llevar permisos con efectos fuera del entorno de pruebas.',
      en: 'Test keys may have no scope whose effects leave the sandbox.',
    },
  },
});
