import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleLogos } from '../../../test/support/printed-sample-logos.ts';
import { readLogo } from './logo-image.ts';

const jpegBase64 =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCAANSP/9k=';
const png = Buffer.from(sampleLogos.photo.base64, 'base64');
const jpeg = Buffer.from(jpegBase64, 'base64');

const url = (type: string, bytes: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
const root = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">';
const svg = (content: string) => url('svg+xml', `${root}${content}</svg>`);

/** A copy with some bytes changed. */
function changed(bytes: Buffer, at: number, values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

/** A chunk of so many bytes, without the sum that nobody here looks at. */
function pngChunk(type: string, length: number): Buffer {
  const chunk = Buffer.alloc(12 + length);
  chunk.writeUInt32BE(length);
  chunk.write(type, 4, 'latin1');
  return chunk;
}

const faultOf = (text: string) => {
  const read = readLogo(text);
  return 'fault' in read ? read.fault : undefined;
};

test('given pictures that can be printed, when they are read, then their bytes and type are given', () => {
  const good: [name: string, text: string][] = [
    ['png', url('png', png)],
    ['jpeg', url('jpeg', jpeg)],
    ['svg', url('svg+xml', Buffer.from(sampleLogos.square.base64, 'base64'))],
    [
      'text, styles and gradients',
      svg(`<defs><style><![CDATA[.a{fill:url(#g)} .b > .c{fill:red}]]></style><linearGradient id="g" xlink:href="#h"/>
      <linearGradient id="h"><stop offset="0"/></linearGradient></defs><g id='l' filter="none"><path class="a" d="M0 0L5 5"/></g><use href="#l"/><text>A &amp; B &#169;</text>`),
    ],
    [
      'classes with their gradients and clips',
      svg(`<defs><style type="text/css">/* a > b */
        .cls-1, g .cls-2 { fill: url(#g); } .cls-3{clip-path:url('#c');filter:none} #l > rect:hover{fill:red}
        </style><linearGradient id="g"><stop offset="0"/></linearGradient>
        <clipPath id="c"><rect class="cls-0" width="5" height="5"/></clipPath></defs>
        <g id="l" class="cls-3 other">${'<path class="cls-1" d="M0 0h5"/>'.repeat(500)}</g>`),
    ],
    [
      'left by a drawing program and used by nothing',
      svg(
        '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><marker id="m"/><pattern id="p"><path/></pattern>',
      ),
    ],
    [
      'as drawing programs write it',
      url(
        'svg+xml',
        `\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: a > b -->
         <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
         <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD"
              width="10" height="10"><sodipodi:namedview pagecolor="#fff"/><metadata/><path d="M0 0h5"/></svg>\n`,
      ),
    ],
  ];
  for (const [name, text] of good) {
    const read = readLogo(text);
    assert.ok('bytes' in read, `${name}: ${faultOf(text)}`);
    assert.equal(`data:${read.media_type};base64,${read.bytes.toString('base64')}`, text);
  }
});

test('given what is no picture of its type, or one too large, when it is read, then its fault is told', () => {
  const width = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const frame = jpeg.indexOf('ffc0', 0, 'hex');
  const cases: [name: string, text: string, fault: RegExp][] = [
    ['an address', 'https://example.es/logo.png', /data: URL/],
    ['another type', url('gif', 'GIF89a'), /data: URL/],
    ['bits of base64 that are none', 'data:image/png;base64,AAAAB', /base64/],
    ['too many bytes', url('png', Buffer.concat([png, Buffer.alloc(512 * 1024)])), /512 KiB/],
    ['text as PNG', url('png', 'no image'), /PNG/],
    ['a JPEG as PNG', url('png', jpeg), /PNG/],
    ['a PNG as JPEG', url('jpeg', png), /JPEG/],
    ['a PNG without its end', url('png', png.subarray(0, -12)), /incompleta/],
    ['a PNG cut within its data', url('png', png.subarray(0, 200)), /incompleta/],
    ['a PNG of no kind of colour', url('png', changed(png, 25, [5])), /PNG/],
    ['a PNG of no width', url('png', changed(png, 16, width(0))), /tamaño/],
    ['a PNG that is wide', url('png', changed(png, 16, width(6001))), /6001 × 160/],
    ['a PNG that is large', url('png', changed(png, 16, [...width(4000), ...width(2001)])), /píxeles/],
    [
      'a PNG whose profile of colours would grow',
      url('png', Buffer.concat([png.subarray(0, 33), pngChunk('iCCP', 64 * 1024 + 1), png.subarray(33)])),
      /perfil de color/,
    ],
    ['a JPEG cut within its data', url('jpeg', jpeg.subarray(0, -2)), /incompleta/],
    ['a JPEG without a frame', url('jpeg', jpeg.subarray(0, frame)), /incompleta/],
    ['a JPEG that is large', url('jpeg', changed(jpeg, frame + 5, [0xff, 0xff, 0xff, 0xff])), /píxeles/],
    ['a JPEG of print colours', url('jpeg', changed(jpeg, frame + 9, [4])), /CMYK/],
    ['a JPEG without loss', url('jpeg', changed(jpeg, frame + 1, [0xc3])), /poco común/],
  ];
  for (const [name, text, fault] of cases) assert.match(faultOf(text) ?? 'none', fault, name);
});

test('given an SVG that runs, reaches out or grows, when it is read, then its fault is told', () => {
  const doubling = (levels: number) =>
    `<defs><path id="u0" d="M0 0h1"/>${Array.from(
      { length: levels },
      (_, i) => `<g id="u${i + 1}"><use href="#u${i}"/><use xlink:href='#u${i}'/></g>`,
    ).join('')}</defs><use href="#u${levels}"/>`;
  const use = '<use href="#p"/>';
  /** Masks that use the one before twice, which their styles alone say. */
  const numbers = Array.from({ length: 30 }, (_, i) => i + 1);
  const byStyles = (rule: (level: number) => string, more = '') => {
    const masks = numbers.map((i) => `<mask id="m${i}">${`<g class="m${i - 1}"/>`.repeat(2)}</mask>`);
    return `<style>${numbers.map(rule).join('')}${more}</style>${masks.join('')}<g class="m30"/>`;
  };
  const chain = (length: number) =>
    Array.from({ length }, (_, i) => `<use id="c${i}" href="#c${i + 1}"/>`).join('');
  const cases: [name: string, text: string, fault: RegExp][] = [
    ['script', svg('<script>alert(1)</script>'), /<script>/],
    ['script under a prefix', svg('<x:Script xmlns:x="http://www.w3.org/2000/svg"/>'), /<script>/],
    ['handler', svg('<path onload="x()"/>'), /código/],
    ['foreign object', svg('<foreignObject/>'), /<foreignobject>/],
    ['animation', svg('<set attributeName="href" to="http://x"/>'), /<set>/],
    ['picture from elsewhere', svg('<image href="http://example.es/a.png"/>'), /<image>/],
    ['link', svg('<a href="https://example.es"/>'), /#id/],
    ['file', svg('<use xlink:href="logo.svg#a"/>'), /#id/],
    ['data', svg('<use href="data:image/svg+xml;base64,AA"/>'), /#id/],
    ['address within a style', svg('<path style="fill:url(http://example.es)"/>'), /#id/],
    ['address within an attribute', svg('<path fill="url( \'//example.es/a#b\' )"/>'), /#id/],
    ['hidden address', svg('<path style="fill:u\\72l(http://example.es)"/>'), /#id/],
    ['import', svg('<style>@import "http://example.es/a.css";</style>'), /#id/],
    ['import in CDATA', svg('<style><![CDATA[@import url(#a)]]></style>'), /#id/],
    ['stylesheet', url('svg+xml', '<?xml-stylesheet href="http://example.es/a.css"?><svg/>'), /#id/],
    ['entity', url('svg+xml', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'), /entidades/],
    ['entity of nobody', svg('<text>&nbsp;</text>'), /entidades/],
    ['other encoding', url('svg+xml', Buffer.from('<svg>\xe1</svg>', 'latin1')), /UTF-8/],
    ['no element', url('svg+xml', 'hello'), /bien formado/],
    ['another root', url('svg+xml', '<html/>'), /bien formado/],
    ['no namespace', url('svg+xml', '<svg><g/></svg>'), /xmlns/],
    ['two roots', url('svg+xml', `${root}</svg>${root}</svg>`), /bien formado/],
    ['text after it', svg('</svg>'), /bien formado/],
    ['left open', svg('<g>'), /bien formado/],
    ['left open at the end', url('svg+xml', root), /bien formado/],
    ['tags within tags', svg('<g <path/>'), /bien formado/],
    ['an attribute without its value', svg('<g hidden/>'), /bien formado/],
    ['broken tag', svg('<path d="M0 0'), /bien formado/],
    ['deep', svg('<g>'.repeat(101) + '</g>'.repeat(101)), /complejo/],
    ['many', svg('<g/>'.repeat(20_001)), /complejo/],
    ['growing', svg(doubling(30)), /complejo/],
    ['a circle', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), /complejo/],
    ['a long chain', svg(chain(5000)), /complejo/],
    [
      'two of one name',
      svg(`${doubling(30)}${numbers.map((i) => `<path id="u${i}"/>`).join('')}`),
      /complejo/,
    ],
    ['growing, under another name', svg(doubling(30).replaceAll('#u', '#&#x75;')), /complejo/],
    ['growing by its styles', svg(byStyles((i) => `.m${i}{mask:url(#m${i})}`)), /complejo/],
    ['growing by styles of tags', svg(byStyles(() => '', 'g{mask:url(#m1)}')), /complejo/],
    ['growing by styles of anything', svg(byStyles((i) => `[class="m${i}"]{mask:url(#m${i})}`)), /complejo/],
    ['growing by unclosed styles', svg(byStyles(() => '', '@media all{.m1{mask:url(#m2')), /complejo/],
    [
      'a long line drawn often',
      svg(`<path id="p" d="M0 0${'l1 2'.repeat(20_000)}"/>${use.repeat(30)}`),
      /complejo/,
    ],
    ['much text', svg(`<text>${'Hola '.repeat(2000)}</text>`), /complejo/],
    [
      'many styles for many',
      svg(`<style>${numbers.map((i) => `.a${i}`)}{${'b:url(#c);'.repeat(2e4)}}</style>`),
      /complejo/,
    ],
    ['a filter', svg('<filter id="f"><feTurbulence/></filter><path filter="url(#f)"/>'), /<filter>/],
    [
      'a filter by its style',
      svg('<style>.a{filter:url(#f)}</style><filter id="f"/><g class="a"/>'),
      /filter/,
    ],
    ['a filter by its name', svg('<path filter="blur(10000)"/>'), /filter/],
    ['a filter by its name in a style', svg('<path style="fill:red;filter/**/: blur(9999px)"/>'), /filter/],
    ['a marker', svg('<marker id="m"/><g marker-mid="url(#m)"><path d="M0 0h1h1"/></g>'), /<marker>/],
    ['a pattern', svg('<pattern id="p"/><g fill="url(#p)"><path d="M0 0h1h1"/></g>'), /<pattern>/],
    ['address under another name', svg('<path fill="&#117;rl(http://example.es)"/>'), /#id/],
    ['import under another name', svg('<style>&#64;import "http://example.es/a.css";</style>'), /#id/],
    ['import around a comment', svg('<style>@im<!-- -->port "http://example.es/a.css";</style>'), /#id/],
    ['import around an element', svg('<style>@im<g/>port "http://example.es/a.css";</style>'), /#id/],
    ['no character', svg('<text>&#x110000;</text>'), /bien formado/],
    ['masks within masks', svg('<mask id="m"><g mask="url(#m)"/></mask><g mask="url(#m)"/>'), /complejo/],
  ];
  for (const [name, text, fault] of cases) assert.match(faultOf(text) ?? 'none', fault, name);
  assert.equal(faultOf(svg(doubling(8))), undefined);
});

test('given a text made to be slow to look at, when it is read, then its fault is found in time with its length', () => {
  const long = 500_000;
  for (const text of [
    `${root}<g ${'a="'.repeat(long / 3)}`,
    `${root}<g ${'a=" '.repeat(long / 4)}b/></svg>`,
    `${root}${'<!--'.repeat(long / 4)}`,
    `${root}<g ${'a '.repeat(long / 2)}/></svg>`,
    `${root}<g ${'a'.repeat(long)}/></svg>`,
    `${root}<g${' '.repeat(long)}</svg>`,
    `${root}<g style="${'url( '.repeat(long / 5)}"/></svg>`,
    `${root}<g style="url(${' '.repeat(long)}"/></svg>`,
    `${root}<g style="${'url  '.repeat(long / 5)}\\;"/></svg>`,
    `${root}${' '.repeat(long)}`,
    `${root}${'<'.repeat(long)}`,
    `${root}${'&#1'.repeat(long / 3)}`,
    `<!DOCTYPE ${'<!DOCTYPE '.repeat(long / 10)}`,
  ])
    assert.ok(faultOf(url('svg+xml', text)) !== undefined, text.slice(0, 20));
  // These have none, and are styles all the same.
  for (const text of ['/*', '/*/', '{', '{}', 'a,', ' >', 'url ', 'filter:none;', 'filter '])
    assert.equal(
      faultOf(svg(`<style>${text.repeat(380_000 / text.length)}{b:none}</style>`)),
      undefined,
      text,
    );
});
