import type { Installation } from './installation.ts';
import type { ServiceProcess } from './service-process.ts';

/**
 * The npm that runs this test, or the one in PATH.
 * @param starter a program, and its words before the command of npm
 */
export function npm(
  place: Installation,
  args: string[],
  env: Record<string, string> = {},
  starter: readonly string[] = [],
): ServiceProcess {
  const cli = process.env.npm_execpath;
  const [program = '', ...words] = [...starter, ...(cli ? [process.execPath, cli] : ['npm']), ...args];
  return place.spawn(program, words, env);
}
