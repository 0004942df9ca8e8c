/** The tour of the README: its blocks for the shell, each with the answer that is printed below it. */

export const tourAddress = 'http://127.0.0.1:3000';
/** A line of its own after what each block prints. */
export const endMark = '-- end of a block --';

export type Step = { command: string; answer: { language: string; text: string } | null };

export function readSteps(text: string): Step[] {
  const tour = text.split('## A tour')[1]?.split('\n## ')[0] ?? '';
  const steps: Step[] = [];
  for (const [, language = '', body = ''] of tour.matchAll(/```(\w+)\n(.*?)```/gs)) {
    if (language === 'sh') steps.push({ command: body, answer: null });
    else steps.at(-1)!.answer = { language, text: body };
  }
  return steps;
}

/** For `bash`, at the address where the service is. */
export function tourScript(steps: readonly Step[], url: string): string {
  const script = steps.map(({ command }) => `${command}\nprintf '%s\\n' '${endMark}'\n`).join('');
  return script.replaceAll(tourAddress, url);
}
