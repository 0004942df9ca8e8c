/** The authority's namespaces (VeriFactu facts, section 3): the download paths say `tikeV1.0`, these say `tike`. */
const base =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

export const namespaces = {
  /** Messages: the envelope's content and its header. */
  message: `${base}SuministroLR.xsd`,
  /** Records, and everything inside header and answer lines. */
  record: `${base}SuministroInformacion.xsd`,
  answer: `${base}RespuestaSuministro.xsd`,
  event: `${base}EventosSIF.xsd`,
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
} as const;
