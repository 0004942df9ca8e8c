/** Returns its document as bytes, at once or when released. */
import type { PrintedDocument, PrintedFormat } from '../../src/domain/printing/printed-document.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import type { PrintedPdf, PrinterPort } from '../../src/modules/pdfs/index.ts';

export class TestPrinter implements PrinterPort {
  readonly engine = 'native';
  edition = 'test 1';
  readonly printed: { document: PrintedDocument; format: PrintedFormat }[] = [];
  /** Thrown instead of printing. */
  fault: Error | null = null;
  /** False: the logo could not be printed this time. */
  is_final = true;
  #gate = Promise.withResolvers<void>();

  constructor() {
    this.letGo();
  }

  async print(document: PrintedDocument, format: PrintedFormat): Promise<PrintedPdf> {
    this.printed.push({ document, format });
    await this.#gate.promise;
    if (this.fault) throw this.fault;
    const { is_final } = this;
    const text = `%PDF-test\n${format}\n${JSON.stringify(document)}\n%%EOF\n`;
    return { bytes: new TextEncoder().encode(text), is_final };
  }

  hold(): void {
    this.#gate = Promise.withResolvers();
  }

  letGo(): void {
    this.#gate.resolve();
  }

  readonly wrap = (ports: Ports): Ports => ({ ...ports, printer: this });
}

export function documentIn(bytes: Buffer): PrintedDocument {
  return JSON.parse(bytes.toString('utf8').split('\n')[2] ?? '') as PrintedDocument;
}
