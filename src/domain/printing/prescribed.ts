/**
 * Texts prescribed word for word (Orden HAC/1177/2024, art. 21; RD 1619/2012, art. 6.1). They stay Spanish,
 * because inspectors look for the exact words. Other languages add a translation.
 */

export const qrHeading = 'QR tributario:';

/** Below the QR, only in VERI*FACTU mode. */
export const qrLegend = 'VERI*FACTU';

/** Across every sandbox document. */
export const sandboxMark = 'SIN VALIDEZ FISCAL';

export const statutoryMentions = {
  /** Art. 6.1.l. */
  by_recipient: 'Facturación por el destinatario',
  /** Art. 6.1.m. */
  reverse_charge: 'Inversión del sujeto pasivo',
  /** Art. 6.1.n. */
  travel_agencies: 'Régimen especial de las agencias de viajes',
  /** Art. 6.1.o. Key 03 does not say which of the three applies, so this is the regime's whole name. */
  used_goods: 'Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección',
  /** Art. 6.1.p. */
  cash_accounting: 'Régimen especial del criterio de caja',
} as const;

export type StatutoryMention = keyof typeof statutoryMentions;
