/** Every QR of a picture. The decoder finds one at a time, so each that is found is painted over. */
import jsQR from 'jsqr';
import { type Box, type Grey, qrPlaces } from './qr-places.ts';

type Drawing = { width: number; height: number; rgba: Uint8ClampedArray };

const codesMax = 4;

/** With more places than this, a page is noise: the decoder would take seconds to see no QR in it. */
const wholeMax = 2;

/**
 * Looks where the squares of a QR are, because the decoder sees more in a part than in a whole page. If the parts show
 * none and are few, it looks at the whole.
 */
export function findQrs(page: Grey, isLate = () => false): string[] {
  const places = qrPlaces(page);
  const found = new Set<string>();
  for (const { wide, tight } of places) {
    if (isLate()) break;
    const seen = findIn(partOf(page, wide));
    for (const one of seen.length > 0 ? seen : findIn(partOf(page, tight))) found.add(one);
  }
  if (found.size === 0 && places.length > 0 && places.length <= wholeMax && !isLate()) {
    const { width, height } = page;
    return findIn(partOf(page, { left: 0, top: 0, right: width, bottom: height }));
  }
  return [...found].slice(0, codesMax);
}

/** The decoder looks at blocks of eight dots, and misreads those that are cut. */
const blockDots = 8;

function partOf({ width: wide, grey }: Grey, { left, top, right, bottom }: Box): Drawing {
  const width = Math.ceil((right - left) / blockDots) * blockDots;
  const height = Math.ceil((bottom - top) / blockDots) * blockDots;
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = top; y < bottom; y++) {
    let to = (y - top) * width * 4;
    for (let from = y * wide + left; from < y * wide + right; from++, to += 4) {
      const value = grey[from]!;
      rgba[to] = value;
      rgba[to + 1] = value;
      rgba[to + 2] = value;
    }
  }
  return { width, height, rgba };
}

function findIn({ width, height, rgba }: Drawing): string[] {
  const found: string[] = [];
  while (found.length < codesMax) {
    const code = jsQR.default(rgba, width, height, { inversionAttempts: 'dontInvert' });
    if (!code) break;
    found.push(code.data);
    const { topLeftCorner, topRightCorner, bottomLeftCorner, bottomRightCorner } = code.location;
    const corners = [topLeftCorner, topRightCorner, bottomLeftCorner, bottomRightCorner];
    paintOver({ width, height, rgba }, corners);
  }
  return found;
}

function paintOver({ width, height, rgba }: Drawing, corners: readonly { x: number; y: number }[]): void {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
  const [left, right] = [within(Math.min(...xs), width), within(Math.max(...xs), width)];
  const [top, bottom] = [within(Math.min(...ys), height), within(Math.max(...ys), height)];
  for (let y = top; y < bottom; y++) rgba.fill(255, (y * width + left) * 4, (y * width + right) * 4);
}
