/** The languages of the samples, in the order in which pages show them. */
import { csharpSample } from './csharp.ts';
import { curlSample } from './curl.ts';
import { javascriptSample } from './javascript.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import type { SampleCall } from './sample-call.ts';

export const sampleLanguages = [
  { id: 'curl', title: 'curl', write: curlSample },
  { id: 'javascript', title: 'JavaScript', write: javascriptSample },
  { id: 'python', title: 'Python', write: pythonSample },
  { id: 'php', title: 'PHP', write: phpSample },
  { id: 'csharp', title: 'C#', write: csharpSample },
] as const satisfies readonly { id: string; title: string; write(call: SampleCall): string }[];
