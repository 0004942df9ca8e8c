import { defineProblems } from '../../kernel/problem.ts';

const refused = { status: 422, type: 'invalid_request_error' } as const;

export const apiKeyErrors = defineProblems({
  api_key_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'La clave de API no existe.',
    help: 'El id no es de ninguna clave de esta empresa. Una clave de pruebas solo ve las claves de pruebas.',
  },
  invalid_scope: {
    ...refused,
    message: 'Hay permisos que no existen o no se pueden asignar.',
    help: 'Los permisos son los del catálogo cerrado; los reservados se reconocen, pero no se asignan.',
  },
  scope_not_allowed_by_plan: {
    ...refused,
    message: 'El plan de la empresa no incluye alguno de los permisos.',
    help: 'El permiso pertenece a un módulo que el plan no incluye. Cambie de plan o quite el permiso.',
  },
  scope_not_allowed_in_sandbox: {
    ...refused,
    message: 'Alguno de los permisos no se admite en el entorno de pruebas.',
    help: 'Las claves de pruebas no pueden llevar permisos con efectos fuera del entorno de pruebas.',
  },
});
