/** Printed by `npm run print`; do not edit. */

/** The simulator's answer to an invoice to this tax id, or, without a recipient, of this total. */
export const magicValues = [
  {"outcome":"accepted","tax_id":"B00000018","total":"2988.10"},
  {"outcome":"accepted_with_errors","tax_id":"B00000026","total":"2988.11"},
  {"outcome":"rejected","tax_id":"B00000034","total":"2988.12"},
  {"outcome":"rejected_always","tax_id":"B00000042","total":"2988.13"},
  {"outcome":"duplicate","tax_id":"B00000059","total":"2988.14"},
  {"outcome":"duplicate_with_errors","tax_id":"B00000067","total":"2988.16"},
  {"outcome":"soap_fault_client","tax_id":"B00000075","total":"2988.17"},
  {"outcome":"soap_fault_server","tax_id":"B00000083","total":"2988.18"},
  {"outcome":"unavailable","tax_id":"B00000091","total":"2988.19"},
  {"outcome":"timeout_before_storing","tax_id":"B00000109","total":"2988.22"},
  {"outcome":"timeout_after_storing","tax_id":"B00000117","total":"2988.23"},
  {"outcome":"half_answer","tax_id":"B00000125","total":"2988.24"},
  {"outcome":"malformed_answer","tax_id":"B00000133","total":"2988.25"},
  {"outcome":"slow_answer","tax_id":"B00000141","total":"2988.26"},
  {"outcome":"long_wait","tax_id":"B00000158","total":"2988.28"},
] as const;

/** A company with this tax id is unknown to the authority. */
export const unknown_taxpayer = 'B00000166';

export const magicAddresses = {"accepted":"accepted@sandbox.example","refused":"refused@sandbox.example","deferred":"deferred@sandbox.example","bounced":"bounced@sandbox.example"} as const;
