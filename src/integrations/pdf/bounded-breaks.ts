/**
 * A line end costs a row of paper, so a text of line ends alone would be hundreds of pages. A document has a bounded
 * number of them. After that, text goes on in the same row.
 */

/** Of one text, and of all texts of a document. */
const breaksOfText = 60;
const breaksOfDocument = 3000;

/** More than one empty row says nothing. */
const emptyRows = /\n[ \u00a0\n]*\n/g;

/** @returns a function for the texts of one document, in their order */
export function makeBoundedBreaks(): (text: string) => string {
  let left = breaksOfDocument;
  return (text) => {
    if (!text.includes('\n')) return text;
    const rows = text
      .replace(emptyRows, '\n\n')
      .replace(/^\n{1,2}/, '')
      .replace(/\n{1,2}$/, '')
      .split('\n');
    const kept = Math.min(rows.length - 1, breaksOfText, left);
    left -= kept;
    const last = rows.slice(kept).filter((row) => row !== '');
    return [...rows.slice(0, kept), last.join(' ')].join('\n');
  };
}
