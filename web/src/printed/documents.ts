/** Printed by `npm run print`; do not edit. */

export const vatKinds = ["invoice","quote","proforma","delivery_note","recurring_invoice"] as const;
export const validKinds = ["quote","proforma"] as const;
export const seriesKinds = ["invoice","simplified_invoice","corrective_invoice","corrective_simplified_invoice","quote","proforma","delivery_note","purchase_invoice"] as const;
