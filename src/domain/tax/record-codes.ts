/**
 * The closed lists of the authority's record (SuministroInformacion.xsd, lists L8A, L8B, L9, L10).
 * fiscal-rules.ts says which codes go together.
 */
import type { TaxKind } from './spanish-taxes.ts';

export const qualifications = {
  S1: 'Operación sujeta y no exenta, sin inversión del sujeto pasivo',
  S2: 'Operación sujeta y no exenta, con inversión del sujeto pasivo',
  N1: 'Operación no sujeta (artículos 7, 14 y otros)',
  N2: 'Operación no sujeta por reglas de localización',
} as const;

export type Qualification = keyof typeof qualifications;

export type ExemptionReason = 'E1' | 'E2' | 'E3' | 'E4' | 'E5' | 'E6' | 'E7' | 'E8';

type ExemptionTexts = {
  readonly short_name: string;
  /** null for causes of IGIC alone. */
  readonly vat_text: string | null;
  /** IGIC's causes share the codes. */
  readonly igic_text: string;
};

export const exemptionReasons: Readonly<Record<ExemptionReason, ExemptionTexts>> = {
  E1: {
    short_name: 'art. 20 LIVA',
    vat_text: 'Operación exenta por el artículo 20 de la Ley 37/1992, del IVA',
    igic_text: 'Operación exenta por la Ley 4/2012, de la Comunidad Autónoma de Canarias',
  },
  E2: {
    short_name: 'exportación, art. 21 LIVA',
    vat_text: 'Exportación exenta por el artículo 21 de la Ley 37/1992, del IVA',
    igic_text: 'Operación exenta por el artículo 11 de la Ley 20/1991, del IGIC',
  },
  E3: {
    short_name: 'asimilada a la exportación, art. 22 LIVA',
    vat_text: 'Operación asimilada a la exportación, exenta por el artículo 22 de la Ley 37/1992, del IVA',
    igic_text: 'Operación exenta por el artículo 12 de la Ley 20/1991, del IGIC',
  },
  E4: {
    short_name: 'zonas y regímenes aduaneros, arts. 23 y 24 LIVA',
    vat_text: 'Operación exenta por los artículos 23 y 24 de la Ley 37/1992, del IVA',
    igic_text: 'Operación exenta por el artículo 13 de la Ley 20/1991, del IGIC',
  },
  E5: {
    short_name: 'entrega intracomunitaria, art. 25 LIVA',
    vat_text: 'Entrega intracomunitaria exenta por el artículo 25 de la Ley 37/1992, del IVA',
    igic_text: 'Operación exenta por el artículo 25 de la Ley 19/1994, del REF de Canarias',
  },
  E6: {
    short_name: 'otra causa',
    vat_text: 'Operación exenta por otra causa',
    igic_text: 'Operación exenta por el artículo 47 de la Ley 19/1994, del REF de Canarias',
  },
  E7: {
    short_name: 'comerciante minorista, solo IGIC',
    vat_text: null,
    igic_text: 'Operación de comerciante minorista exenta del IGIC',
  },
  E8: {
    short_name: 'otra causa, solo IGIC',
    vat_text: null,
    igic_text: 'Operación exenta del IGIC por otra causa',
  },
};

type RegimeTexts = Partial<Record<Exclude<TaxKind, 'other'>, string>>;

const same = (text: string): RegimeTexts => ({ vat: text, igic: text });

/** A tax without text does not have the key. */
export const regimeKeys = {
  '01': { ...same('Régimen general'), ipsi: 'Régimen general' },
  '02': same('Exportación'),
  '03': same('Régimen especial de bienes usados, objetos de arte, antigüedades y objetos de colección'),
  '04': same('Régimen especial del oro de inversión'),
  '05': same('Régimen especial de las agencias de viajes'),
  '06': same('Régimen especial del grupo de entidades (nivel avanzado)'),
  '07': same('Régimen especial del criterio de caja'),
  '08': {
    vat: 'Operaciones sujetas al IPSI o al IGIC',
    igic: 'Operaciones sujetas al IPSI o al IVA',
    ipsi: 'Operaciones sujetas al IGIC o al IVA',
  },
  '09': same('Agencias de viaje que actúan como mediadoras en nombre y por cuenta ajena'),
  '10': same('Cobros por cuenta de terceros de honorarios profesionales o de derechos'),
  '11': {
    ...same('Arrendamiento de local de negocio'),
    ipsi: 'Arrendamiento de local de negocio',
  },
  '14': same('Impuesto pendiente de devengo en certificaciones de obra a una Administración Pública'),
  '15': same('Impuesto pendiente de devengo en operaciones de tracto sucesivo'),
  '17': { vat: 'Ventanilla única (OSS e IOSS)', igic: 'Régimen especial de comerciante minorista' },
  '18': {
    vat: 'Recargo de equivalencia',
    igic: 'Régimen especial del pequeño empresario o profesional',
    ipsi: 'Operaciones de los artículos 73.4 y 73.5 de la ordenanza de Ceuta',
  },
  '19': {
    vat: 'Régimen especial de la agricultura, ganadería y pesca',
    igic: 'Operaciones interiores exentas por el artículo 25 de la Ley 19/1994',
    ipsi: 'Operaciones interiores exentas',
  },
  '20': {
    vat: 'Régimen simplificado',
    igic: 'Operaciones sujetas al IPSI',
    ipsi: 'Régimen de estimación objetiva',
  },
  '21': { igic: 'Régimen simplificado' },
} as const satisfies Record<string, RegimeTexts>;

export type RegimeKey = keyof typeof regimeKeys;

export function isQualification(text: string): text is Qualification {
  return Object.hasOwn(qualifications, text);
}

export function exemptionFits(tax_kind: TaxKind, reason: string): reason is ExemptionReason {
  if (!Object.hasOwn(exemptionReasons, reason)) return false;
  return tax_kind === 'igic' || exemptionReasons[reason as ExemptionReason].vat_text !== null;
}

export function regimeKeyFits(tax_kind: TaxKind, regime_key: string): regime_key is RegimeKey {
  if (tax_kind === 'other' || !Object.hasOwn(regimeKeys, regime_key)) return false;
  const texts: RegimeTexts = regimeKeys[regime_key as RegimeKey];
  return texts[tax_kind] !== undefined;
}
