/** Logos of made-up companies, of every proportion that a template must bound: drawn here, so that they are nobody's. */
import type { PrintedLogo } from '../../src/domain/printing/printed-document.ts';
import { writePng } from './png.ts';

function svg(width: number, height: number, content: string): PrintedLogo {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>`;
  return {
    media_type: 'image/svg+xml',
    base64: Buffer.from(text).toString('base64'),
    alternative_text: 'Logotipo de la empresa',
  };
}

/** A tile of four petals; strokes as letters would be. */
const tile = (x: number, y: number, side: number, dark: string, light: string) =>
  `<g transform="translate(${x} ${y}) scale(${side / 40})"><rect width="40" height="40" rx="4" fill="${dark}"/>` +
  `<path d="M20 4c8 8 8 24 0 32c-8-8-8-24 0-32zM4 20c8-8 24-8 32 0c-8 8-24 8-32 0z" fill="${light}"/></g>`;

const stroke = (x: number) =>
  `<path d="M${x} 34V8l9 14l9-14v26" fill="none" stroke="#134e4a" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>`;

/** A photograph's kind of picture: 24 bits with transparency, 240 by 160, in smooth colours. */
function png(): PrintedLogo {
  const [width, height] = [240, 160];
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - width / 2, (y - height / 2) * 1.4);
      const pixel = [40 + (x * 180) / width, 60 + (y * 150) / height, 140, away < 110 ? 255 : 0];
      rgba.set(pixel, (y * width + x) * 4);
    }
  }
  return {
    media_type: 'image/png',
    base64: writePng(width, height, rgba).toString('base64'),
    alternative_text: 'Logotipo de la empresa',
  };
}

export const sampleLogos = {
  wide: svg(
    260,
    40,
    tile(0, 0, 40, '#0f766e', '#ccfbf1') + [0, 1, 2, 3, 4, 5].map((i) => stroke(56 + i * 34)).join(''),
  ),
  square: svg(100, 100, tile(0, 0, 100, '#7c2d12', '#fed7aa')),
  tall: svg(40, 200, [0, 1, 2, 3, 4].map((i) => tile(0, i * 40, 38, '#7f1d1d', '#fecaca')).join('')),
  photo: png(),
};
