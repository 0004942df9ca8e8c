/**
 * Where on a page a QR may stand, by the three squares in its corners (ISO/IEC 18004, 6.3.3): every line through the middle
 * of one is dark and light as 1:1:3:1:1. The decoder takes twenty times as long to say that a page has none.
 */
export type Grey = { width: number; height: number; grey: Uint8Array };

export type Box = { left: number; top: number; right: number; bottom: number };

/** `wide` has room for a corner that is farther out. `tight` has none, for a QR near another. */
export type QrPlace = { wide: Box; tight: Box };

type Square = { x: number; y: number; module: number };

const stepRows = 2;
/** In dots: smaller ones cannot be read. */
const moduleMin = 1.3;
/** A side has 21 to 177 of them, and the middles of two squares are seven nearer. Slack for what is seen at an angle. */
const [sideMin, sideMax] = [11, 200];
/** A page of noise has many; of one with a QR they are few. */
const squaresMax = 120;
const placesMax = 8;

export function qrPlaces(page: Grey): QrPlace[] {
  const squares = findSquares(new Paper(page));
  return squares.length > squaresMax ? [] : placesOf(squares, page);
}

/** Exponent of 2. */
const blockBits = 4;
const blockDots = 1 << blockBits;
/** To each side. */
const blocksAround = 4;

/** Dark is what is darker than nine tenths of its surroundings: a photograph has shadows. */
class Paper {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
  readonly #wide: number;
  readonly #limits: Float64Array;

  constructor({ width, height, grey }: Grey) {
    this.width = width;
    this.height = height;
    this.grey = grey;
    this.#wide = Math.ceil(width / blockDots);
    this.#limits = limitsOf(this.#sums(), { width, height, wide: this.#wide });
  }

  #sums(): Float64Array {
    const { width, height, grey } = this;
    const sums = new Float64Array(this.#wide * Math.ceil(height / blockDots));
    for (let y = 0; y < height; y++) {
      const row = (y >> blockBits) * this.#wide;
      for (let h = 0; h < this.#wide; h++) {
        let sum = 0;
        const end = y * width + Math.min(width, (h + 1) * blockDots);
        for (let at = y * width + h * blockDots; at < end; at++) sum += grey[at]!;
        sums[row + h]! += sum;
      }
    }
    return sums;
  }

  isDark(x: number, y: number): boolean {
    const limit = this.#limits[(y >> blockBits) * this.#wide + (x >> blockBits)]!;
    return this.grey[y * this.width + x]! < limit;
  }

  holds(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** @returns the first place from `y` on, up or down, with the other darkness */
  endOfRun(x: number, y: number, step: 1 | -1, is_dark: boolean): number {
    let at = y;
    while (at >= 0 && at < this.height && this.isDark(x, at) === is_dark) at += step;
    return at;
  }
}

type Blocks = { width: number; height: number; wide: number };

function limitsOf(sums: Float64Array, { width, height, wide }: Blocks): Float64Array {
  const limits = new Float64Array(sums.length);
  const high = sums.length / wide;
  for (let v = 0; v < high; v++) {
    const top = Math.max(0, v - blocksAround);
    const bottom = Math.min(high, v + blocksAround + 1);
    for (let h = 0; h < wide; h++) {
      const left = Math.max(0, h - blocksAround);
      const right = Math.min(wide, h + blocksAround + 1);
      let sum = 0;
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += sums[y * wide + x]!;
      const dots =
        (Math.min(width, right * blockDots) - left * blockDots) *
        (Math.min(height, bottom * blockDots) - top * blockDots);
      limits[v * wide + h] = (sum / dots) * 0.9;
    }
  }
  return limits;
}

/** @returns the length of a module, or 0 when these are no dark and light of a square */
function moduleOf(a: number, b: number, c: number, d: number, e: number): number {
  const module = (a + b + c + d + e) / 7;
  if (module < moduleMin) return 0;
  const slack = module * 0.6 + 0.7;
  const is_square =
    Math.abs(a - module) < slack &&
    Math.abs(b - module) < slack &&
    Math.abs(c - 3 * module) < slack * 1.7 &&
    Math.abs(d - module) < slack &&
    Math.abs(e - module) < slack;
  return is_square ? module : 0;
}

function findSquares(paper: Paper): Square[] {
  const squares: Square[] = [];
  for (let y = 0; y < paper.height && squares.length <= squaresMax; y += stepRows) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let is_dark = false;
    for (let x = 0; x <= paper.width; x++) {
      if (x < paper.width && paper.isDark(x, y) === is_dark) {
        e++;
        continue;
      }
      if (is_dark && a > 0) {
        const module = moduleOf(a, b, c, d, e);
        if (module > 0) addSquare(squares, paper, { x: Math.floor(x - e - d - c / 2), y, module });
      }
      a = b;
      b = c;
      c = d;
      d = e;
      e = 1;
      is_dark = !is_dark;
    }
  }
  return squares;
}

/** Adds only what is a square from top to bottom and all around, and only once. */
function addSquare(squares: Square[], paper: Paper, { x, y, module }: Square): void {
  const is_known = squares.some(
    (one) => Math.abs(one.x - x) < 3 * module && Math.abs(one.y - y) < 3 * module,
  );
  if (is_known) return;
  const column = columnAt(paper, x, y);
  if (column === null || column.module > module * 1.8 || module > column.module * 1.8) return;
  if (isRinged(paper, x, column.y, [module, column.module]))
    squares.push({ x, y: column.y, module: (module + column.module) / 2 });
}

function columnAt(paper: Paper, x: number, y: number): { y: number; module: number } | null {
  if (!paper.isDark(x, y)) return null;
  const up = paper.endOfRun(x, y, -1, true);
  const down = paper.endOfRun(x, y, 1, true);
  const up_light = paper.endOfRun(x, up, -1, false);
  const down_light = paper.endOfRun(x, down, 1, false);
  const module = moduleOf(
    up_light - paper.endOfRun(x, up_light, -1, true),
    up - up_light,
    down - up - 1,
    down_light - down,
    paper.endOfRun(x, down_light, 1, true) - down_light,
  );
  return module === 0 ? null : { y: Math.round((up + down) / 2), module };
}

const directions = Array.from({ length: 16 }, (_, at) => (at * Math.PI) / 8);
/** A turned square is cut aslant by rows and columns: its modules look longer than they are. */
const turned = [1, 0.87, 0.74];

/** However it is turned: dark within one and a half modules of its middle, light around, and dark around that. */
function isRinged(paper: Paper, x: number, y: number, [wide, high]: [number, number]): boolean {
  return turned.some((scale) => {
    const isDarkAt = (direction: number, modules: number) => {
      const h = Math.round(x + Math.cos(direction) * modules * wide * scale);
      const v = Math.round(y + Math.sin(direction) * modules * high * scale);
      return paper.holds(h, v) && paper.isDark(h, v);
    };
    let fits = 0;
    for (const direction of directions) {
      if (isDarkAt(direction, 1)) fits++;
      if (!isDarkAt(direction, 2.25)) fits++;
      if ([2.8, 3.2, 3.6, 4.1].some((modules) => isDarkAt(direction, modules))) fits++;
    }
    return fits >= 41;
  });
}

/** The places around each three squares that lie like the corners of a QR. */
function placesOf(squares: readonly Square[], page: Grey): QrPlace[] {
  const places: QrPlace[] = [];
  for (const corner of squares) {
    for (const [at, one] of squares.entries()) {
      if (!isSide(corner, one)) continue;
      for (const other of squares.slice(at + 1)) {
        if (!isSide(corner, other) || !areCorners(corner, one, other)) continue;
        const place = placeAround([corner, one, other], page);
        if (!places.some((known) => isSame(place.tight, known.tight))) places.push(place);
        if (places.length === placesMax) return places;
      }
    }
  }
  return places;
}

function isSide(a: Square, b: Square): boolean {
  if (a === b) return false;
  const [small, large] = [Math.min(a.module, b.module), Math.max(a.module, b.module)];
  const side = Math.hypot(a.x - b.x, a.y - b.y);
  return large < small * 1.7 && side > sideMin * small && side < sideMax * large;
}

/** Two sides about as long, and about at a right angle. */
function areCorners(corner: Square, one: Square, other: Square): boolean {
  const [ax, ay] = [one.x - corner.x, one.y - corner.y];
  const [bx, by] = [other.x - corner.x, other.y - corner.y];
  const [a, b] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
  return a < b * 1.5 && b < a * 1.5 && Math.abs(ax * bx + ay * by) < a * b * 0.4;
}

function placeAround(group: readonly Square[], { width, height }: Grey): QrPlace {
  const [xs, ys] = [group.map(({ x }) => x), group.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const module = Math.max(...group.map((one) => one.module));
  const within = (margin: number): Box => ({
    left: Math.max(0, Math.floor(left - margin)),
    top: Math.max(0, Math.floor(top - margin)),
    right: Math.min(width, Math.ceil(right + margin)),
    bottom: Math.min(height, Math.ceil(bottom + margin)),
  });
  const side = Math.max(right - left, bottom - top);
  // Three and a half modules to the edge, and the border.
  return { wide: within(side / 3 + 10 * module), tight: within(6.5 * module) };
}

function isSame(box: Box, known: Box): boolean {
  const most = (box.right - box.left + box.bottom - box.top) / 16;
  const sides = ['left', 'right', 'top', 'bottom'] as const;
  return sides.every((side) => Math.abs(box[side] - known[side]) < most);
}
