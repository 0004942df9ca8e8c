/** Part (v): first paint of the reference in a browser whose processor is slowed fourfold. Nothing is cached. */
import { type Launched, launchBrowser } from '../test/support/launch-browser.ts';
import { startFolio } from './children.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, spreadOf } from './statistics.ts';

const part = '(v) first paint of the reference';
const slowed = 4;
const aimMs = 300;
const widths = [360, 1280] as const;

export async function measureReferencePaint(place: Place, options: BenchOptions): Promise<Figure[]> {
  const launched = await launchBrowser();
  if (!launched) {
    options.say('No browser: set CHROME_PATH.');
    return [];
  }
  const folio = await startFolio(place.data_dir, options.profile_dir);
  try {
    const longest = await longestPage(folio.url);
    const pages = { '/docs': '/docs', [`the longest page (${longest})`]: longest };
    const figures: Figure[] = [];
    for (const [what, path] of Object.entries(pages))
      for (const width of widths) {
        const paint = () => firstPaint(launched, `${folio.url}${path}`, width);
        await paint();
        const ms: number[] = [];
        for (let round = 0; round < options.rounds; round++) ms.push(await paint());
        figures.push({
          part,
          what: `${what}, ${width} pixels wide`,
          unit: 'ms',
          spread: spreadOf(ms),
          aim: { at_most: aimMs },
        });
      }
    return figures;
  } finally {
    await launched.close();
    await folio.stop();
  }
}

/** Of the pages of operations, by its bytes. */
async function longestPage(origin: string): Promise<string> {
  const text = async (path: string) => (await fetch(`${origin}${path}`)).text();
  const links = new Set(
    Array.from((await text('/docs')).matchAll(/href="(\/docs\/reference\/[\w-]+)/g), ([, path]) => path!),
  );
  const sizes: [string, number][] = [];
  for (const path of links) sizes.push([path, (await text(path)).length]);
  return sizes.sort(([, one], [, other]) => other - one)[0]![0];
}

async function firstPaint({ browser }: Launched, url: string, width: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    await page.goto(url, { waitUntil: 'load' });
    return (await page.evaluate(
      `new Promise((done) => new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName('first-contentful-paint');
        if (entry) done(entry.startTime);
      }).observe({ type: 'paint', buffered: true }))`,
    )) as number;
  } finally {
    await context.close();
  }
}
