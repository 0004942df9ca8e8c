/** Errors of the address of the tools itself. */
import { defineProblems } from '../../kernel/problem.ts';

export const mcpErrors = defineProblems({
  origin_not_allowed: {
    status: 403,
    type: 'authorization_error',
    message: {
      es: 'Las páginas de ese origen no pueden llamar a /mcp.',
      en: 'Pages of that origin may not call /mcp.',
    },
    help: {
      es: 'La cabecera Origin no es la de este servicio ni está en FOLIO_MCP_ORIGINS; o el servicio solo escucha en esta máquina y la cabecera Host nombra otra.',
      en: 'The header Origin is neither that of this service nor in FOLIO_MCP_ORIGINS; or the service listens on this machine alone and the header Host names another.',
    },
  },
  unknown_toolset: {
    status: 400,
    type: 'invalid_request_error',
    message: {
      es: 'No hay ningún grupo de herramientas {name}. Los grupos son: {known}.',
      en: 'There is no group of tools {name}. The groups are: {known}.',
    },
    help: {
      es: 'toolsets lleva los nombres de los grupos separados por comas, como en /mcp?toolsets=invoices,contacts. Los grupos son los de la tabla de permisos.',
      en: 'toolsets has the names of the groups, separated by commas, as in /mcp?toolsets=invoices,contacts. The groups are those of the table of scopes.',
    },
  },
  unknown_mcp_parameter: {
    status: 400,
    type: 'invalid_request_error',
    message: {
      es: 'La dirección de /mcp solo lleva toolsets y read_only, que es true o false.',
      en: 'The address of /mcp takes toolsets and read_only alone, which is true or false.',
    },
    help: {
      es: 'Un parámetro mal escrito daría más herramientas de las pedidas, así que se rechaza. error.param lo nombra.',
      en: 'A misspelt parameter would give more tools than were asked for, so it is refused. error.param names it.',
    },
  },
});
