/**
 * The parts outside of an invoice that an issue may ask for: its record, its PDF, its e-mail. None is built yet,
 * so each answers `not_configured` and does nothing; nothing is ever marked as sent or registered by them.
 */

/** The block of the authority's record in the answer of a checkout. */
export function verifactuBlock() {
  return {
    status: 'not_configured',
    error_code: null,
    aeat_status: null,
    huella: null,
    qr_url: null,
    qr_png_base64: null,
    legend: null,
    csv: null,
  } as const;
}

export function pdfBlock() {
  return { status: 'not_configured', url: null, expires_at: null } as const;
}

export function emailBlock() {
  return { status: 'not_configured' } as const;
}

export type Wishes = { register_verifactu?: boolean; wait_for_pdf?: boolean; send_automatically?: boolean };

/** The blocks that the caller asked for, to be put into `data`. */
export function outsideBlocks(wishes: Wishes): Record<string, unknown> {
  return {
    ...(wishes.register_verifactu ? { verifactu: verifactuBlock() } : {}),
    ...(wishes.wait_for_pdf ? { pdf: pdfBlock() } : {}),
    ...(wishes.send_automatically ? { email: emailBlock() } : {}),
  };
}
