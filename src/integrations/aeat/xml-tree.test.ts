import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diag } from 'libxml2-wasm';
import { parseXml } from './xml-tree.ts';

const bomb =
  '<!DOCTYPE a [<!ENTITY b "0123456789"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;">]><a>&d;</a>';
const reach = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>';

test('given a document type, in any encoding, when it is read, then it is refused', () => {
  for (const text of [bomb, reach, '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>']) {
    assert.throws(() => parseXml(text), /document type/);
    assert.throws(() => parseXml(Buffer.from(text)), /document type/);
    assert.throws(() => parseXml(Buffer.from(`\ufeff${text}`, 'utf16le')), /document type/);
    const big_endian = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    assert.throws(() => parseXml(big_endian), /document type/);
  }
});

test('given an entity that nobody declared, broken XML, or nothing, when it is read, then it is refused', () => {
  for (const text of ['<a>&b;</a>', '<a><b></a>', '<a', 'text', '', ' ', '<a/><b/>', '<p:a/>'])
    assert.throws(() => parseXml(text), text);
  assert.throws(() => parseXml('<a>'.repeat(60) + '</a>'.repeat(60)), /nested too deeply/);
  assert.throws(() => parseXml(`<a>${' '.repeat(17 * 1024 * 1024)}</a>`), /too large/);
});

test('given texts, CDATA, comments and references, when they are read, then the values are those of XML', () => {
  const node = parseXml(
    '<p:a xmlns:p="urn:x"><p:b x="1">1 &lt; 2&#xD;\r\n<![CDATA[<&]]><!-- no --></p:b>é</p:a>',
  );
  assert.deepEqual(node, {
    name: 'a',
    namespace: 'urn:x',
    content: 'é',
    has_attributes: false,
    children: [{ name: 'b', namespace: 'urn:x', content: '1 < 2\r\n<&', has_attributes: true, children: [] }],
  });
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', 'latin1');
  assert.equal(parseXml(latin).content, 'é');
});

test('given elements of the opaque namespace, when they are read, then nothing in them is', () => {
  const node = parseXml('<a><s:b xmlns:s="urn:s" x="1"><s:c/></s:b></a>', 'urn:s');
  assert.deepEqual(node.children, [
    { name: 'b', namespace: 'urn:s', content: '', has_attributes: false, children: [] },
  ]);
});

test('given many documents, read or refused, when it is done, then none is left in the parser', () => {
  diag.configure({ enabled: true });
  for (const text of ['<a><b/></a>', '<a>', bomb]) {
    try {
      parseXml(text);
    } catch {
      // Refusing it is right too.
    }
  }
  assert.deepEqual(diag.report(), {});
  diag.configure({ enabled: false });
});

for (const [what, text] of [
  ['elements', `<a>${'<b/>'.repeat(100_001)}</a>`],
  ['attributes', `<a ${Array.from({ length: 100_001 }, (_, i) => `b${i}=""`).join(' ')}/>`],
] as const)
  test(`given a text of few bytes and a hundred thousand ${what}, then it is refused before it is parsed`, () => {
    assert.throws(() => parseXml(text), /too many elements or attributes/);
    assert.throws(() => parseXml(Buffer.from(text)), /too many elements or attributes/);
  });
