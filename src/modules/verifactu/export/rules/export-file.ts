/**
 * A file holds texts exactly as they were hashed and signed, and any reader opens it as XML.
 * The byte count before each text tells where it ends.
 */
import { numberText } from '../../../../domain/printing/numbers.ts';
import type { ChainLink, EventLink, RemissionMode } from '../../record.ts';

export const textsPerFile = 1000;

export type ExportedText = { position: number; mode: RemissionMode; xml: string };

const names = {
  records: { all: 'Registros', one: 'Registro' },
  events: { all: 'Eventos', one: 'Evento' },
} as const;
export type TextKind = keyof typeof names;

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function writeTexts(kind: TextKind, texts: readonly ExportedText[]): string {
  const { all, one } = names[kind];
  const body = texts.map(
    ({ position, mode, xml }) =>
      `<${one} posicion="${position}" modo="${mode}" bytes="${Buffer.byteLength(xml)}">${xml}</${one}>\n`,
  );
  return `${declaration}<${all}>\n${body.join('')}</${all}>\n`;
}

export function readTexts(kind: TextKind, file: Buffer): ExportedText[] {
  const { all, one } = names[kind];
  let at = 0;
  const expect = (text: string) => {
    const end = at + Buffer.byteLength(text);
    if (file.toString('utf8', at, end) !== text) throw new Error(`Falta «${text.trim()}» en el byte ${at}.`);
    at = end;
  };
  expect(`${declaration}<${all}>\n`);
  const texts: ExportedText[] = [];
  const opening = new RegExp(
    `^<${one} posicion="(\\d{1,15})" modo="(verifactu|no_verifactu)" bytes="(\\d{1,9})">`,
  );
  for (;;) {
    const match = opening.exec(file.toString('latin1', at, at + 200));
    if (match === null) break;
    at += match[0].length;
    const end = at + Number(match[3]);
    texts.push({
      position: Number(match[1]),
      mode: match[2] as RemissionMode,
      xml: file.toString('utf8', at, end),
    });
    at = end;
    expect(`</${one}>\n`);
  }
  expect(`</${all}>\n`);
  if (at !== file.length) throw new Error(`Sobran ${file.length - at} bytes al final.`);
  return texts;
}

export type ExportedFile = {
  path: string;
  kind: TextKind | 'text';
  bytes: number;
  sha256: string;
  first_position: number | null;
  last_position: number | null;
  count: number;
};

/** manifest.json. `before` is the chain's end before the period; null when there is none. */
export type Manifest = {
  format: 'folio-verifactu-export';
  version: 1;
  taxpayer: { name: string; tax_id: string };
  system: { name: string; code: string; version: string; installation_number: string };
  time_zone: string;
  /** Days of the company, both included, by the hour of the record or event. */
  period: { from: string; to: string };
  exported_at: string;
  records: {
    count: number;
    first_position: number | null;
    before: ChainLink | null;
    altas: number;
    anulaciones: number;
    tax_total: string;
    total: string;
  };
  events: { count: number; first_position: number | null; before: EventLink | null };
  files: ExportedFile[];
};

export const manifestName = 'manifest.json';
export const readmeName = 'LEEME.txt';

export function readManifest(text: string): Manifest {
  const read = JSON.parse(text) as Partial<Manifest> | null;
  const is_manifest =
    read?.format === 'folio-verifactu-export' &&
    read.version === 1 &&
    typeof read.taxpayer?.tax_id === 'string' &&
    typeof read.exported_at === 'string' &&
    typeof read.system?.installation_number === 'string' &&
    isPart(read.records) &&
    isPart(read.events) &&
    Array.isArray(read.files) &&
    read.files.every(
      ({ path, kind, sha256 }) =>
        isInside(path) && (kind === 'text' || kind in names) && typeof sha256 === 'string',
    );
  if (!is_manifest) throw new Error('No es el manifiesto de una exportación.');
  return read as Manifest;
}

function isPart(part: { count: number; before: { huella: string } | null } | undefined): boolean {
  return typeof part?.count === 'number' && (part.before === null || typeof part.before?.huella === 'string');
}

function isInside(path: unknown): boolean {
  return typeof path === 'string' && /^[\w.-]+(\/[\w.-]+)*$/.test(path) && !path.split('/').includes('..');
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export function writeReadme({ taxpayer, system, period, records, events, time_zone }: Manifest): string {
  return `EXPORTACIÓN DE REGISTROS DE FACTURACIÓN Y DE EVENTOS

Obligado: ${taxpayer.name} (${taxpayer.tax_id})
Sistema: ${system.name} (${system.code}), versión ${system.version}, instalación ${system.installation_number}
Período: del ${period.from} al ${period.to}, por la hora de cada registro (${time_zone})
Registros de facturación: ${records.count} (${counted(records.altas, 'alta', 'altas')}, ${counted(records.anulaciones, 'anulación', 'anulaciones')})
Suma de cuotas de las altas: ${numberText(records.tax_total, 'es', 2)}
Suma de importes de las altas: ${numberText(records.total, 'es', 2)}
Registros de evento: ${events.count}

Qué hay en esta carpeta

  registros/     Registros de facturación, en el orden de la cadena, hasta ${textsPerFile} por fichero.
  eventos/       Registros de evento, igual, si los hay.
  ${manifestName}  Qué ficheros hay, con su SHA-256, y qué contienen.

Cada fichero es XML. Dentro de cada elemento Registro o Evento está el texto exacto del registro, tal como se calculó
su huella y, en su caso, se firmó; el atributo «bytes» dice cuántos bytes ocupa, contados después de «>». Para
comprobar una firma con otro programa, copie esos bytes a un fichero: la firma cubre el documento entero.

Qué se puede comprobar sin más datos

  - El SHA-256 de cada fichero es el del manifiesto.
  - La huella de cada registro es la SHA-256 de sus datos, como dice la Orden HAC/1177/2024.
  - Cada registro nombra al anterior y su huella. El primero del período enlaza con el último anterior, que está en
    «before» del manifiesto (null si es el primero de la cadena).
  - El emisor de cada registro es el obligado del manifiesto.
  - Las horas no retroceden, y las firmas XAdES son correctas.

El mandato «folio verify --export CARPETA» lo comprueba todo, sin base de datos ni red.
`;
}
