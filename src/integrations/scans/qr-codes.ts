/** Every QR of a picture. The decoder finds one at a time, so each that is found is painted over. */
import jsQR from 'jsqr';

export type Drawing = { width: number; height: number; rgba: Uint8ClampedArray };

const codesMax = 4;

/** Several confuse the decoder, so halves are looked at where the whole shows none. */
export function findQrs(drawing: Drawing): string[] {
  const found = findIn(drawing);
  if (found.length > 0) return found;
  const { width, height, rgba } = drawing;
  const rows = Math.ceil(height / 2);
  const half = (from: number, to: number) =>
    findIn({ width, height: to - from, rgba: rgba.subarray(from * width * 4, to * width * 4) });
  return [...half(0, rows), ...half(rows, height)];
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
