/** Better names for shared schemas than their property gives. */
export const betterNames: Readonly<Record<string, string>> = {
  Document: 'EmailedDocument',
  Refused: 'RefusedRecipient',
};
