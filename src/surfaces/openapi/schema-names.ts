/** For shared schemas whose property gives a poor name. */
export const betterNames: Readonly<Record<string, string>> = {
  Document: 'EmailedDocument',
  Refused: 'RefusedRecipient',
};
