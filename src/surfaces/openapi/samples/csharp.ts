import { indented } from './literals.ts';
import { keyVariable, type SampleCall } from './sample-call.ts';

/** A program of one file for .NET 8 and newer, with its usual implicit usings. */
export function csharpSample({ method, url, needs_retry_key, version, body, file }: SampleCall): string {
  const name = method.charAt(0) + method.slice(1).toLowerCase();
  return [
    'using System.Net.Http.Headers;',
    ...(body === undefined ? [] : ['using System.Text;']),
    '',
    'using var http = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${name}, ${JSON.stringify(url)});`,
    'request.Headers.Authorization = new AuthenticationHeaderValue(',
    `    "Bearer", Environment.GetEnvironmentVariable("${keyVariable}"));`,
    ...(version === null ? [] : [`request.Headers.Add("Service-Version", "${version}");`]),
    ...(needs_retry_key ? ['request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());'] : []),
    ...(body === undefined
      ? []
      : [
          'request.Content = new StringContent("""',
          `    ${indented(JSON.stringify(body, null, 2), '    ')}`,
          '    """, Encoding.UTF8, "application/json");',
        ]),
    'using var response = await http.SendAsync(request);',
    ...(file === null
      ? ['Console.WriteLine(await response.Content.ReadAsStringAsync());']
      : [
          'response.EnsureSuccessStatusCode();',
          `await File.WriteAllBytesAsync(${JSON.stringify(file)}, await response.Content.ReadAsByteArrayAsync());`,
        ]),
  ].join('\n');
}
