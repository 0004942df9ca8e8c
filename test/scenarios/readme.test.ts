/**
 * Runs the shell blocks of the README's tour. Answers must be the printed ones, except for ids, keys and times.
 * FOLIO_TEST_UPDATE=1 prints the real ones.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Installation, projectRoot } from '../support/installation.ts';
import { endMark, readSteps, tourAddress, tourScript } from '../support/readme-tour.ts';

const file = join(projectRoot, 'README.md');
const lineMax = 120;

/** Replaces what differs between runs by names. Ids are numbered by first appearance. */
function makeNormaliser(): (text: string) => string {
  const ids = new Map<string, number>();
  return (text) =>
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, ids.size + 1);
        return `<id ${ids.get(id)}>`;
      })
      .replace(/svc_(live|test)_\w+/g, '<$1 key>')
      .replace(/req_[0-9a-f]{32}/g, '<request>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\b20\d\d-\d\d-\d\d\b/g, '<day>')
      .replace(/\b([A-Z]+)20\d\d-(\d{6})\b/g, '$1<year>-$2')
      .replaceAll('\r', '')
      .trim();
}

/** As the README prints it: one value per line, long ones broken, no secrets. */
function layOut(text: string): string {
  return text
    .replace(/(svc_(?:live|test)_)\w+/g, (_, prefix: string) => prefix + '0'.repeat(24))
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.startsWith('{') && line.length > lineMax
        ? JSON.stringify(JSON.parse(line), null, 2)
        : line.trimEnd(),
    )
    .join('\n');
}

/** Joins broken lines: an indented or closing line belongs to the one before. */
function unfold(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (/^( |[}\]])/.test(line) && lines.length > 0) lines.push(`${lines.pop()}${line.trimStart()}`);
    else lines.push(line);
  }
  return lines.map((line) =>
    line.startsWith('{') || line.startsWith('[') ? JSON.stringify(JSON.parse(line)) : line,
  );
}

test('given a new installation, when the tour of the README is run, then it prints the answers of the README', async (t) => {
  const place = await Installation.make(t);
  // The sources, as `npm start` runs them: in a whole run other tests start a bundle.
  const service = place.spawn(process.execPath, ['src/main/folio.cjs', 'serve']);
  await service.says(/Folio listens on \S+ /);
  const readme = readFileSync(file, 'utf8');
  const steps = readSteps(readme);
  assert.ok(steps.length >= 8);
  const shell = place.spawn('bash', ['-euo', 'pipefail', '-c', tourScript(steps, place.url)]);
  assert.equal(await shell.exited(), 0, `${shell.stdout}\n${shell.stderr}`);
  assert.equal(shell.stderr, '');

  const outputs = shell.stdout.replaceAll(place.url, tourAddress).split(`${endMark}\n`);
  assert.equal(outputs.length, steps.length + 1);
  if (process.env.FOLIO_TEST_UPDATE === '1') {
    let updated = readme;
    let from = updated.indexOf('## A tour');
    for (const [i, { command, answer }] of steps.entries()) {
      from = updated.indexOf(command, from) + command.length;
      if (answer === null) continue;
      const begin = updated.indexOf(`\`\`\`${answer.language}\n`, from) + answer.language.length + 4;
      const end = updated.indexOf('```', begin);
      updated = `${updated.slice(0, begin)}${layOut(outputs[i] ?? '')}\n${updated.slice(end)}`;
    }
    writeFileSync(file, updated);
    return;
  }
  const [normalisePrinted, normaliseReal] = [makeNormaliser(), makeNormaliser()];
  for (const [i, { command, answer }] of steps.entries()) {
    const real = normaliseReal(outputs[i] ?? '');
    const printed = normalisePrinted(answer?.text ?? '');
    assert.deepEqual(unfold(real), unfold(printed), command);
  }
});
