/** The authority's download paths say `tikeV1.0`, its namespaces `tike`. */
const base =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

export const namespaces = {
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  /** A submission. */
  lr: `${base}SuministroLR.xsd`,
  /** Records and their parts. */
  sf: `${base}SuministroInformacion.xsd`,
  answer: `${base}RespuestaSuministro.xsd`,
  query: `${base}ConsultaLR.xsd`,
  query_answer: `${base}RespuestaConsultaLR.xsd`,
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
