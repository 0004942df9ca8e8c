/**
 * Texts that the law or the authority prescribes word for word: in Spanish whatever the language of the document (Orden
 * HAC/1177/2024, art. 21; RD 1619/2012, art. 6.1). An exact mention is what an inspector looks for, so in another
 * language it stands first, and its translation after it for who reads it.
 */

/** Above the QR. */
export const qrHeading = 'QR tributario:';

/** Below it, in VERI*FACTU mode alone. */
export const qrLegend = 'VERI*FACTU';

/** Across what is made in a sandbox. */
export const sandboxMark = 'SIN VALIDEZ FISCAL';

export const statutoryMentions = {
  /** Art. 6.1.l. */
  by_recipient: 'Facturación por el destinatario',
  /** Art. 6.1.m. */
  reverse_charge: 'Inversión del sujeto pasivo',
  /** Art. 6.1.n. */
  travel_agencies: 'Régimen especial de las agencias de viajes',
  /** Art. 6.1.o; the authority's key 03 does not tell which of the three it is, so the regime's whole name. */
  used_goods: 'Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección',
  /** Art. 6.1.p. */
  cash_accounting: 'Régimen especial del criterio de caja',
} as const;

export type StatutoryMention = keyof typeof statutoryMentions;
