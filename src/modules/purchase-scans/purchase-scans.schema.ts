import {
  Base64File,
  Described,
  Enum,
  Nullable,
  Shape,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { scanMediaTypes, type ScanMediaType } from './rules/file-kind.ts';
import { type ReadableStatus, type ScanStatus, scanStatuses } from './rules/states.ts';

/** Of the body, with its base64. */
export const uploadMax = 20 * 1_048_576;

export const UploadInput = Shape({
  file_name: Text(1000, {
    minLength: 1,
    description: 'Nombre del archivo; de una ruta queda solo la última parte, 255 caracteres como máximo',
  }),
  content_base64: Base64File(
    uploadMax,
    'El archivo en base64: un PDF, una imagen JPEG o PNG de 40 millones de píxeles como máximo, o un XML. Lo que es lo dice su contenido, no su nombre',
  ),
});

export const scanMethods = ['facturae', 'verifactu_qr', 'text', 'none'] as const;
export type ScanMethod = (typeof scanMethods)[number];

const Extraction = Type.Object(
  {
    method: Enum(scanMethods, {
      description:
        'facturae: factura electrónica; verifactu_qr: código QR de VeriFactu; text: texto del PDF; none: no se ha podido leer',
    }),
    fields: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Nombre del dato, por ejemplo number o total' }),
        value: Type.String({ description: 'Valor leído' }),
        page: Nullable(Type.Integer({ description: 'Página en la que está, desde 1; null en un XML' })),
      }),
      { description: 'Datos leídos' },
    ),
    warnings: Type.Array(Type.String(), { description: 'Lo que no se ha podido leer o no cuadra' }),
  },
  { description: 'Lo leído; null hasta que termina la lectura' },
);

export const PurchaseScan = Type.Object({
  id: Described(Uuid, 'Id del documento escaneado'),
  object: Type.Literal('purchase_scan'),
  status: Enum(scanStatuses, {
    description:
      'uploaded: espera su lectura; processing: se está leyendo; processed: leído; failed: no se ha podido leer por un fallo del servicio; archived: archivado',
  }),
  version: Type.Integer({ description: 'Aumenta con cada cambio; se envía en expected_version al archivar' }),
  file: Type.Object({
    name: Type.String({ description: 'Nombre del archivo' }),
    media_type: Enum(scanMediaTypes, { description: 'Tipo, por su contenido' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'SHA-256 de los bytes, en hexadecimal' }),
    pages: Nullable(
      Type.Integer({ description: 'Páginas de un PDF, si se ha podido abrir; 1 en una imagen' }),
    ),
  }),
  extraction: Nullable(Extraction),
  proposal: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Cuerpo para crear un borrador de factura de compra; null si no se ha leído una cuyos totales cuadren, o si no se podría registrar, por ejemplo porque ya lo está',
    }),
  ),
  supplier_candidates: Type.Array(
    Type.Object({
      id: Described(Uuid, 'Id del proveedor'),
      name: Type.String({ description: 'Nombre' }),
      reason: Enum(['tax_id'] as const, { description: 'Por qué puede serlo: tax_id, tiene el NIF leído' }),
    }),
    { description: 'Proveedores que pueden ser el de la factura' },
  ),
  possible_duplicate_ids: Type.Array(Uuid, {
    description: 'Facturas de compra que pueden ser ya la de este documento',
  }),
  purchase_invoice_id: Described(Nullable(Uuid), 'Factura de compra a la que está unido; null si ninguna'),
  error: Nullable(
    Type.Object(
      {
        code: Type.String({ description: 'Código' }),
        message: Type.String({ description: 'Explicación' }),
      },
      { description: 'Por qué ha fallado la lectura; null en los demás estados' },
    ),
  ),
  uploaded_at: Described(Timestamp, 'Cuándo se subió (ISO 8601 UTC)'),
  processed_at: Described(Nullable(Timestamp), 'Cuándo terminó su lectura; null si no ha terminado'),
  archived_at: Described(Nullable(Timestamp), 'Cuándo se archivó; null si no lo está'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

export type ScanField = { name: string; value: string; page: number | null };
export type ScanExtraction = { method: ScanMethod; fields: ScanField[]; warnings: string[] };
export type SupplierCandidate = { id: string; name: string; reason: 'tax_id' };

export type ScanRow = {
  id: string;
  version: number;
  status: ScanStatus;
  status_before: ReadableStatus | null;
  file_name: string;
  media_type: ScanMediaType;
  size: number;
  sha256: string;
  pages: number | null;
  attempts: number;
  extraction: ScanExtraction | null;
  proposal: Record<string, unknown> | null;
  supplier_id: string | null;
  supplier_candidates: SupplierCandidate[];
  possible_duplicate_ids: string[];
  purchase_invoice_id: string | null;
  error: { code: string; message: string } | null;
  processed_at: Date | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

export function present(row: ScanRow) {
  return {
    id: row.id,
    object: 'purchase_scan',
    status: row.status,
    version: row.version,
    file: {
      name: row.file_name,
      media_type: row.media_type,
      size: row.size,
      sha256: row.sha256,
      pages: row.pages,
    },
    extraction: row.extraction,
    proposal: row.proposal,
    supplier_candidates: row.supplier_candidates,
    possible_duplicate_ids: row.possible_duplicate_ids,
    purchase_invoice_id: row.purchase_invoice_id,
    error: row.error,
    uploaded_at: row.created_at.toISOString(),
    processed_at: row.processed_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  };
}
