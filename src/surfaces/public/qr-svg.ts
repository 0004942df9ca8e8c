import { type Html, html } from '../../kernel/html.ts';
import { qrMatrix } from '../../platform/qr-png.ts';

const border = 4;

/**
 * A QR symbol with its white border, one unit a module.
 * @param label for readers who cannot see it
 */
export function qrSvg(text: string, label: string): Html {
  const { size, modules } = qrMatrix(text);
  let path = '';
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (modules[y * size + x] !== 1) continue;
      const from = x;
      while (x + 1 < size && modules[y * size + x + 1] === 1) x++;
      path += `M${from} ${y}h${x + 1 - from}v1h-${x + 1 - from}z`;
    }
  }
  const side = size + 2 * border;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="${-border} ${-border} ${side} ${side}" shape-rendering="crispEdges" xmlns="http://www.w3.org/2000/svg"><rect x="${-border}" y="${-border}" width="${side}" height="${side}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
