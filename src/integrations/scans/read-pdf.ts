import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';

const library = await PDFiumLibrary.init();

export async function readPdf(bytes: Uint8Array): Promise<ScanReading> {
  const document = await library.loadDocument(bytes);
  try {
    const pages = document.getPageCount();
    return { method: 'none', fields: [], warnings: [], pages, purchase: null };
  } finally {
    document.destroy();
  }
}
