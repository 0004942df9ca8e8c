import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSamples } from '../../../test/support/printed-samples.ts';
import { documentPage } from './document-page.ts';

test('given a document of many long lines, when its page is drawn, then others may have their turn after each line', () => {
  const { document } = printedSamples[0]!;
  let drawn = 0;
  const line = {
    ...document.lines[0]!,
    get description() {
      drawn += 1;
      return '"'.repeat(1000);
    },
  };
  const shown = {
    document: { ...document, lines: Array.from({ length: 500 }, () => line) },
    standing: null,
    transfer: null,
    contact_links: new Map<string, string>(),
  };
  const steps = documentPage(shown, { page: '', base: '', asked: undefined });

  let most = 0;
  let step = steps.next();
  for (let before = 0; !step.done; before = drawn, step = steps.next()) most = Math.max(most, drawn - before);

  assert.equal(drawn, 500);
  assert.equal(most, 1);
  assert.equal(step.value.text.split('&quot;'.repeat(1000)).length, 501);
});
