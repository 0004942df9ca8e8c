/** Better names for shared schemas than the property that they stand under gives. */
export const betterNames: Readonly<Record<string, string>> = {
  Document: 'EmailedDocument',
  Refused: 'RefusedRecipient',
};
