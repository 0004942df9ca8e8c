import { once } from 'node:events';
import { request as startRequest } from 'node:http';

/** Begins to send a new client. Returns once the service has the call; `finish` sends the rest. */
export async function beginClient(
  url: string,
  key: string,
): Promise<{ finish(): void; status: Promise<number> }> {
  const text = JSON.stringify({ name: 'Librería Norte SL' });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    // The service says so when it has read the headers.
    expect: '100-continue',
  };
  const sent = startRequest(`${url}/v1/clients`, { method: 'POST', headers });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  promise.catch(() => undefined);
  sent.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on('error', reject);
  await Promise.race([once(sent, 'continue'), promise]);
  sent.write(text.slice(0, 10));
  return { finish: () => sent.end(text.slice(10)), status: promise };
}
