/** The authority's namespaces. Its download paths say `tikeV1.0`, its namespaces `tike`. */
const base =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

export const namespaces = {
  /** What the envelope holds, and its header. */
  message: `${base}SuministroLR.xsd`,
  /** Records, and what headers and answer lines hold. */
  record: `${base}SuministroInformacion.xsd`,
  answer: `${base}RespuestaSuministro.xsd`,
  event: `${base}EventosSIF.xsd`,
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
} as const;
