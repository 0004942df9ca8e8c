/** Logos of every proportion that a template must fit. Drawn here, so that nobody else owns them. */
import type { PrintedLogo } from '../../src/domain/printing/printed-document.ts';
import { writePng } from './png.ts';

const alternative_text = 'Logotipo de la empresa';

type Rgb = readonly [red: number, green: number, blue: number];
/** Null is transparent. */
type Paint = (x: number, y: number) => Rgb | null;

/** Pixels per unit, and sample points per pixel, which smooth the edges. */
const scale = 2;
const points = 3;

function drawn(width: number, height: number, paint: Paint): PrintedLogo {
  const [columns, rows] = [width * scale, height * scale];
  const rgba = new Uint8Array(columns * rows * 4);
  for (let at = 0; at < columns * rows; at++) {
    const [left, top] = [at % columns, Math.floor(at / columns)];
    let seen = 0;
    const sums = [0, 0, 0];
    for (let i = 0; i < points * points; i++) {
      const x = (left + ((i % points) + 0.5) / points) / scale;
      const y = (top + (Math.floor(i / points) + 0.5) / points) / scale;
      const colour = paint(x, y);
      if (!colour) continue;
      seen += 1;
      for (let part = 0; part < 3; part++) sums[part]! += colour[part]!;
    }
    if (seen === 0) continue;
    for (let part = 0; part < 3; part++) rgba[at * 4 + part] = sums[part]! / seen;
    rgba[at * 4 + 3] = (255 * seen) / (points * points);
  }
  return {
    media_type: 'image/png',
    base64: writePng(columns, rows, rgba).toString('base64'),
    alternative_text,
  };
}

/** A square with four petals, 40 units wide before scaling. */
function tile(left: number, top: number, side: number, dark: Rgb, light: Rgb): Paint {
  const isPetal = (across: number, along: number) => {
    const part = (along - 4) / 32;
    return Math.abs(across - 20) <= 24 * part * (1 - part);
  };
  return (at_x, at_y) => {
    const [x, y] = [((at_x - left) / side) * 40, ((at_y - top) / side) * 40];
    if (x < 0 || y < 0 || x > 40 || y > 40) return null;
    return isPetal(x, y) || isPetal(y, x) ? light : dark;
  };
}

/** An M with strokes 5 units wide. */
function letter(left: number): Paint {
  const corners = [
    [0, 34],
    [0, 8],
    [9, 22],
    [18, 8],
    [18, 34],
  ] as const;
  const strokes = corners.slice(1).map(([to_x, to_y], i) => {
    const [from_x, from_y] = corners[i]!;
    return { from_x, from_y, along_x: to_x - from_x, along_y: to_y - from_y };
  });
  const isNear = (x: number, y: number) => {
    for (const { from_x, from_y, along_x, along_y } of strokes) {
      const share =
        ((x - from_x) * along_x + (y - from_y) * along_y) / (along_x * along_x + along_y * along_y);
      const nearest = Math.min(1, Math.max(0, share));
      if (Math.hypot(x - from_x - nearest * along_x, y - from_y - nearest * along_y) <= 2.5) return true;
    }
    return false;
  };
  const isBeside = (x: number) => x < -2.5 || x > 20.5;
  return (x, y) => (isBeside(x - left) || !isNear(x - left, y) ? null : [0x13, 0x4e, 0x4a]);
}

const together =
  (...paints: readonly Paint[]): Paint =>
  (x, y) => {
    for (const paint of paints) {
      const colour = paint(x, y);
      if (colour) return colour;
    }
    return null;
  };

/** 240 by 160 pixels: smooth colours and transparency. */
function photo(): PrintedLogo {
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
    alternative_text,
  };
}

const teal: readonly [Rgb, Rgb] = [
  [0x0f, 0x76, 0x6e],
  [0xcc, 0xfb, 0xf1],
];
const brick: readonly [Rgb, Rgb] = [
  [0x7c, 0x2d, 0x12],
  [0xfe, 0xd7, 0xaa],
];
const wine: readonly [Rgb, Rgb] = [
  [0x7f, 0x1d, 0x1d],
  [0xfe, 0xca, 0xca],
];

const wide = together(tile(0, 0, 40, ...teal), ...[0, 1, 2, 3, 4, 5].map((i) => letter(56 + i * 34)));
const tall = together(...[0, 1, 2, 3, 4].map((i) => tile(0, i * 40, 38, ...wine)));

/** Each is drawn when a test first asks for it. */
const asked = new Map<string, PrintedLogo>();

function once(name: string, draw: () => PrintedLogo): PrintedLogo {
  const logo = asked.get(name) ?? draw();
  asked.set(name, logo);
  return logo;
}

export const sampleLogos = {
  get wide() {
    return once('wide', () => drawn(260, 40, wide));
  },
  get square() {
    return once('square', () => drawn(100, 100, tile(0, 0, 100, ...brick)));
  },
  get tall() {
    return once('tall', () => drawn(40, 200, tall));
  },
  get photo() {
    return once('photo', photo);
  },
  /** 4 by 2 pixels. */
  jpeg: {
    media_type: 'image/jpeg',
    base64:
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCAANSP/9k=',
    alternative_text,
  },
} satisfies Record<string, PrintedLogo>;
