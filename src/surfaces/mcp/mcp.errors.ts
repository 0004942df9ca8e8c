/** Errors of the address of the tools itself. */
import { defineProblems } from '../../kernel/problem.ts';

export const mcpErrors = defineProblems({
  origin_not_allowed: {
    status: 403,
    type: 'authorization_error',
    message: 'Las páginas de ese origen no pueden llamar a /mcp.',
    help: 'La cabecera Origin no es la de este servicio ni está en FOLIO_MCP_ORIGINS; o el servicio solo escucha en esta máquina y la cabecera Host nombra otra.',
  },
  unknown_toolset: {
    status: 400,
    type: 'invalid_request_error',
    message: 'No hay ningún grupo de herramientas {name}. Los grupos son: {known}.',
    help: 'toolsets lleva los nombres de los grupos separados por comas, como en /mcp?toolsets=invoices,contacts. Los grupos son los de la tabla de permisos.',
  },
  unknown_mcp_parameter: {
    status: 400,
    type: 'invalid_request_error',
    message: 'La dirección de /mcp solo lleva toolsets y read_only, que es true o false.',
    help: 'Un parámetro mal escrito daría más herramientas de las pedidas, así que se rechaza. error.param lo nombra.',
  },
});
