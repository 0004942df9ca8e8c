import { withPdf } from './pdfium.ts';

export type Picture = {
  /** Millimetres. */
  paper: { width: number; height: number };
  /** Pixels. */
  width: number;
  height: number;
  /** Four bytes a pixel: red, green, blue and an alpha of 255. */
  rgba: Uint8ClampedArray<ArrayBuffer>;
};

const MM_PER_POINT = 25.4 / 72;

export async function drawPages(
  pdf: Uint8Array,
  dots_per_inch: number,
  pages_max = Number.POSITIVE_INFINITY,
): Promise<Picture[]> {
  return withPdf(pdf, async (document) => {
    const pictures: Picture[] = [];
    for (let at = 0; at < Math.min(document.getPageCount(), pages_max); at++) {
      // The library closes a page when it has drawn it.
      const page = document.getPage(at);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const { width, height, data } = await page.render({ scale: dots_per_inch / 72, render: 'bitmap' });
      const rgba = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
      const paper = { width: originalWidth * MM_PER_POINT, height: originalHeight * MM_PER_POINT };
      pictures.push({ paper, width, height, rgba });
    }
    return pictures;
  });
}

const linear = Array.from({ length: 256 }, (_, part) =>
  part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
);

/** Relative luminance from 0, black, to 1, white (WCAG 2.2). */
export function luminance({ rgba, width }: Picture, x: number, y: number): number {
  const at = (y * width + x) * 4;
  return 0.2126 * linear[rgba[at]!]! + 0.7152 * linear[rgba[at + 1]!]! + 0.0722 * linear[rgba[at + 2]!]!;
}

/**
 * The heights in mm of what is white over the whole width of a page, from above.
 * @param to in mm from the left: only what is left of it counts
 */
export function whiteGaps(page: Picture, to = page.paper.width): number[] {
  const mm = page.paper.height / page.height;
  const columns = Array.from({ length: Math.floor((to / page.paper.width) * page.width) }, (_, x) => x);
  const gaps: number[] = [];
  let white = 0;
  for (let y = 0; y < page.height; y++) {
    const is_white = columns.every((x) => luminance(page, x, y) > 0.98);
    if (!is_white && white > 0) gaps.push(white * mm);
    white = is_white ? white + 1 : 0;
  }
  return gaps;
}
