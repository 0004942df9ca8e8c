/** Of the questions before what cannot be undone (service_secrets). */
export const questionSecret = 'mcp questions';
