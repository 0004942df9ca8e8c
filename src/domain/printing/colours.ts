/** Adjusts a company's colour until text in it or on it has the contrast of WCAG 2.2 (1.4.3: 4.5 to 1). */

type Rgb = readonly [number, number, number];

export type PageColours = {
  /** The company's own colour, for elements without text. */
  brand: string;
  on_brand: string;
  /** For text in the brand's colour, on light and on dark paper. */
  ink_on_light: string;
  ink_on_dark: string;
};

/** The style sheet uses these too. */
export const lightPaper = '#ffffff';
export const darkPaper = '#1b1e23';
/** The same as in integrations/pdf/templates/theme.typ. */
const houseColour = '#24405f';
const contrastMin = 4.5;

/** @param colour `#rrggbb`; null for the default */
export function pageColours(colour: string | null): PageColours {
  const brand = colour !== null && /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : houseColour;
  return {
    brand,
    on_brand: contrast(brand, '#ffffff') >= contrast(brand, '#000000') ? '#ffffff' : '#000000',
    ink_on_light: mixUntilReadable(brand, '#000000', lightPaper),
    ink_on_dark: mixUntilReadable(brand, '#ffffff', darkPaper),
  };
}

export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(readHex(a)), luminance(readHex(b))].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

function mixUntilReadable(colour: string, end: string, background: string): string {
  const [from, to] = [readHex(colour), readHex(end)];
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = writeHex(from.map((v, i) => v + (to[i]! - v) * share));
    if (contrast(mixed, background) >= contrastMin) return mixed;
  }
  return end;
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((v) => {
    const s = v / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function readHex(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function writeHex(rgb: readonly number[]): string {
  return `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, '0')).join('')}`;
}
