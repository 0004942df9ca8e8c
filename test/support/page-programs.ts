/**
 * Programs on those of docs/clients.md: they sell at the service, then send a change to each path of a server that
 * stands between, and print what came of it as JSON.
 */
import type { GivenAnswer } from './given-answers.ts';

/** The server's answers by path. A program sends a change to each path, with the key clave-7 except to /later. */
export function troubles(url: string): Record<string, GivenAnswer[]> {
  const error = (code: string, errors?: object[]) =>
    JSON.stringify({ error: { code, message: `${code}.`, param: null, request_id: 'r', errors } });
  const wrong = [
    { param: 'name', code: 'parameter_invalid', message: 'Falta el campo.' },
    { param: 'email', code: 'parameter_invalid', message: 'No es un correo.' },
  ];
  const html = '<html>';
  const done = { status: 200, body: '{"data":"done"}' };
  const passed = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const ahead = new Date(Date.now() + 3_600_000).toUTCString();
  const unavailable = (after: string) => ({
    status: 503,
    headers: { 'retry-after': after },
    body: error('service_unavailable'),
  });
  return {
    '/flaky': [
      { status: 502, body: html },
      { status: 500, headers: { 'retry-after': 'soon' }, body: error('internal_error') },
      { status: 429, headers: { 'retry-after': passed }, body: error('rate_limit_exceeded') },
      { status: 504, headers: { 'retry-after': '0' }, body: '{"error":{"code":504}}' },
      done,
    ],
    '/moved': [{ status: 301, headers: { location: `${url}/elsewhere` } }, done],
    '/elsewhere': [done],
    // The line ends before the answer does.
    '/cut': [{ status: 200, headers: { 'content-length': 100 }, body: '{"data":"do' }, done],
    '/portal': [{ status: 200, body: html }, done],
    '/wrong': [{ status: 422, body: error('parameter_invalid', wrong) }, done],
    '/later': [unavailable('3600'), done],
    '/ahead': [unavailable(ahead), done],
  };
}

export const troubled = ['/flaky', '/cut', '/moved', '/portal', '/wrong', '/ahead'];
export const inPython = `
import json, os, sell
print(sell.sell("pedido-1"))
print(sell.sell("pedido-2"))
sell.URL = os.environ["BETWEEN"]
told = {}
for path, key in [*((path, "clave-7") for path in ${JSON.stringify(troubled)}), ("/later", None)]:
    try:
        told[path] = sell.call("POST", path, {}, key)["data"]
    except (sell.Refused, sell.NoAnswer) as fault:
        told[path] = [type(fault).__name__, str(fault), fault.key]
print(json.dumps(told))
`;
export const inPhp = `
require "sell.php";
echo sell("pedido-1"), "\n", sell("pedido-2"), "\n";
putenv("FOLIO_URL=" . getenv("BETWEEN"));
$told = [];
foreach ([...array_fill_keys(${JSON.stringify(troubled)}, "clave-7"), "/later" => null] as $path => $key) {
    try {
        $told[$path] = call("POST", $path, [], $key)["data"];
    } catch (Refused | NoAnswer $fault) {
        $told[$path] = [$fault::class, $fault->getMessage(), $fault->key];
    }
}
echo json_encode($told), "\n";
`;
