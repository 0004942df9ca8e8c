/**
 * Which marks of an alta go together. The schema does not check this; the authority refuses the one record. Rules for
 * lines of the breakdown are in domain/tax/fiscal-rules.ts.
 */
import type { AltaContent, Party } from '../../modules/verifactu/index.ts';

type Rule = { what: string; breaks(alta: AltaContent): boolean };

const isCorrective = ({ type }: AltaContent) => type.startsWith('R');
const isAnonymous = ({ type }: AltaContent) => type === 'F2' || type === 'R5';
const isUncensused = (party: Party | null) => party?.foreign_id?.type === '07';

const rules: readonly Rule[] = [
  {
    what: 'RechazoPrevio va solo con Subsanacion',
    breaks: (a) => a.prior_rejection !== null && !a.is_subsanacion,
  },
  {
    what: 'TipoRectificativa va con las rectificativas, y solo con ellas',
    breaks: (a) => isCorrective(a) !== (a.correction !== null),
  },
  {
    what: 'FacturasRectificadas va solo con las rectificativas',
    breaks: (a) => !isCorrective(a) && a.corrected_invoices.length > 0,
  },
  {
    what: 'FacturasSustituidas va solo con F3',
    breaks: (a) => a.type !== 'F3' && a.substituted_invoices.length > 0,
  },
  {
    what: 'ImporteRectificacion va con la rectificación por sustitución, y solo con ella',
    breaks: (a) => (a.correction === 'S') !== (a.corrected_amounts !== null),
  },
  {
    what: 'FechaOperacion va solo cuando difiere de la de expedición',
    breaks: (a) => a.operation_on === a.issued_on,
  },
  {
    what: 'FacturaSimplificadaArt7273 no va con F2 ni R5',
    breaks: (a) => a.is_qualified_simplified && isAnonymous(a),
  },
  {
    what: 'FacturaSinIdentifDestinatarioArt61d va solo con F2 y R5',
    breaks: (a) => a.is_without_recipient && !isAnonymous(a),
  },
  {
    what: 'Tercero va con EmitidaPorTerceroODestinatario T, y solo con él',
    breaks: (a) => (a.issued_by === 'T') !== (a.third_party !== null),
  },
  { what: 'Tercero es el propio emisor', breaks: (a) => a.third_party?.tax_id === a.issuer.tax_id },
  { what: 'Tercero no se identifica como no censado (07)', breaks: (a) => isUncensused(a.third_party) },
  {
    what: 'Destinatarios va con todas menos F2 y R5',
    breaks: (a) => isAnonymous(a) !== (a.recipients.length === 0),
  },
  {
    what: 'CodigoPais falta, o es ES sin pasaporte ni no censado',
    breaks: (a) =>
      [...a.recipients, ...(a.third_party === null ? [] : [a.third_party])].some(hasWrongCountry),
  },
];

/** In Spanish. */
export function findCombinationFaults(alta: AltaContent): string[] {
  return rules.filter((rule) => rule.breaks(alta)).map((rule) => rule.what);
}

/** Codes 1111, 1126 and 1131. */
function hasWrongCountry({ foreign_id }: Party): boolean {
  if (foreign_id === null) return false;
  const { type, country } = foreign_id;
  if (country === null) return type !== '02';
  if (type === '07') return country !== 'ES';
  return country === 'ES' && type !== '03';
}
