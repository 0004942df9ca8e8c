/**
 * The parts outside of an invoice that an issue may ask for: its PDF, its e-mail. None is built yet, so each
 * answers `not_configured` and does nothing; nothing is ever marked as sent by them.
 */

export function pdfBlock() {
  return { status: 'not_configured', url: null, expires_at: null } as const;
}

export function emailBlock() {
  return { status: 'not_configured' } as const;
}

export type Wishes = { wait_for_pdf?: boolean; send_automatically?: boolean };

/** The blocks that the caller asked for, to be put into `data`. */
export function outsideBlocks(wishes: Wishes): Record<string, unknown> {
  return {
    ...(wishes.wait_for_pdf ? { pdf: pdfBlock() } : {}),
    ...(wishes.send_automatically ? { email: emailBlock() } : {}),
  };
}
