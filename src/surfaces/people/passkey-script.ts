/** The only script of these pages: asks the browser for a passkey, and sends its answer with the form. Without it the form stays hidden. */
export const passkeyPath = '/assets/passkey.js';

export const passkeyScript = `'use strict';
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential || !PublicKeyCredential.parseRequestOptionsFromJSON) continue;
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const failed = form.querySelector('[role=alert]');
    failed.hidden = true;
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.passkey));
      const answer = await navigator.credentials.get({ publicKey });
      form.elements.response.value = JSON.stringify(answer.toJSON());
      form.submit();
    } catch {
      failed.hidden = false;
    }
  });
}
`;
