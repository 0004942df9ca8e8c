/** Runs the shell blocks of a written page in one shell, so that later ones know what earlier ones made. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const mark = '-- end of a block --';

/** A block, and the one after it that shows what it prints; '' where none does. */
export type Block = { command: string; printed: string };

const fences = /^```(\w*)\n(.*?)^```$/gms;

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const [, language = '', body = ''] of text.matchAll(fences)) {
    if (language === 'sh') blocks.push({ command: body, printed: '' });
    else blocks.at(-1)!.printed = body;
  }
  return blocks;
}

/** @returns what each block printed; a block that fails ends the rest, and the test */
export async function runBlocks(
  blocks: readonly Block[],
  options: { cwd: string; env: Record<string, string>; before?: string },
): Promise<string[]> {
  const script = blocks.map(({ command }) => `${command}echo '${mark}'\n`).join('');
  const { stdout, stderr } = await run(
    'bash',
    ['-e', '-o', 'pipefail', '-c', `${options.before ?? ''}${script}`],
    {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
    },
  );
  assert.equal(stderr, '');
  return stdout
    .split(`${mark}\n`)
    .slice(0, blocks.length)
    .map((said) => (said === '' || said.endsWith('\n') ? said : `${said}\n`));
}

/** The page with what its blocks printed. */
export function withPrinted(text: string, printed: readonly string[]): string {
  let i = -1;
  return text.replace(fences, (whole, language: string) => {
    if (language === 'sh') i += 1;
    return language === 'sh' ? whole : `\`\`\`${language}\n${printed[i]}\`\`\``;
  });
}
