/** The examples of an operation: the request in each language, beside the answer. */
import type { Example, Operation } from '../../kernel/operation.ts';
import { type Html, html } from '../../kernel/html.ts';
import { type ApiVersion, latestVersion } from '../../kernel/versions.ts';
import { type ExampleAnswers, presentExample } from './examples.ts';
import { sampleLanguages } from './samples/languages.ts';
import { sampleCall } from './samples/sample-call.ts';

type SampleParts = {
  answers: ExampleAnswers[string];
  public_url: string;
  can_call: boolean;
  version: ApiVersion;
};

/** Without script one language is chosen for each example. */
export function samplesOf(
  operation: Operation,
  { answers, public_url, can_call, version }: SampleParts,
): Html {
  const pinned = version === latestVersion ? null : version;
  return html`${operation.examples.map((example, i) => {
    const answer = answers[example.title];
    const call = sampleCall(operation, example, { public_url, version: pinned });
    const group = `${operation.name}.${i + 1}`;
    const choices = sampleLanguages.map(
      ({ id, title }, at) =>
        html`<label><input type="radio" name="${group}" value="${id}"${at === 0 && html` checked`}>${title}</label>`,
    );
    const samples = sampleLanguages.map(
      ({ id, write }) =>
        html`<pre class="sample" data-language="${id}" tabindex="0"><code>${write(call)}</code></pre>`,
    );
    return html`<figure class="example"><figcaption>${example.title}${can_call && html`<button type="button" class="scripted-only" data-try="${tryOf(operation, example)}">Probar</button>`}</figcaption>
<div class="request"><div class="choices" role="group" aria-label="Lenguaje del ejemplo">${choices}</div>
${samples}</div>
${answer && html`<div class="answer"><p class="answered">Respuesta ${answer.status}</p><pre tabindex="0"><code>${JSON.stringify(answer.body, null, 2)}</code></pre></div>`}</figure>`;
  })}`;
}

/** What the page's script needs to send the call: no more than the example. */
function tryOf(operation: Operation, example: Example): string {
  const { query = {}, body } = presentExample(operation, example);
  return JSON.stringify({
    method: operation.method,
    path: operation.path,
    query: new URLSearchParams(query).toString(),
    has_retry_key: operation.idempotency !== 'none',
    ...(body === undefined ? {} : { body }),
  });
}
