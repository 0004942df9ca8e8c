const unknownIssuer =
  'el servidor no envía los certificados intermedios, o lo firma una autoridad que no se reconoce';
const noAuthority = 'alguno de los que lo firman no puede firmar otros';

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'está caducado, él o alguno de los que lo firman',
  CERT_NOT_YET_VALID: 'todavía no está en vigor, él o alguno de los que lo firman',
  ERR_TLS_CERT_ALTNAME_INVALID: 'está emitido para otro nombre',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'no lo firma ninguna autoridad',
  SELF_SIGNED_CERT_IN_CHAIN: 'lo firma una autoridad que no se reconoce',
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  INVALID_PURPOSE: 'no vale para un servidor, o alguno de los que lo firman no puede firmar otros',
  INVALID_CA: noAuthority,
  PATH_LENGTH_EXCEEDED: noAuthority,
};

/** For whoever has to mend it: what follows *no es válido*. */
export function certificateFault(code: string, message: string): string {
  const reason = reasons[code];
  const told = code === 'UNSPECIFIED' ? message : code;
  return reason === undefined ? ` (${told})` : `: ${reason} (${told})`;
}
