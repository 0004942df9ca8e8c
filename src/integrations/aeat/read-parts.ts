import type {
  ChainLink,
  ForeignIdType,
  InvoiceRef,
  Party,
  SystemInfo,
} from '../../modules/verifactu/index.ts';
import type { ElementReader } from './element-reader.ts';
import { foreignIdTypes } from './value-lists.ts';
import { readDay } from './xml-text.ts';

/** An invoice with its record's huella: a link of the chain, or the first or last record of an event. */
export function readRecordLink(reader: ElementReader): ChainLink {
  const link = { ...readInvoiceRef(reader), huella: reader.text('Huella') };
  reader.end();
  return link;
}

export function readSystem(reader: ElementReader): SystemInfo {
  const yesNo = (name: string) => reader.choice(name, ['S', 'N']) === 'S';
  const system = {
    producer: readParty(reader),
    name: reader.text('NombreSistemaInformatico'),
    code: reader.text('IdSistemaInformatico'),
    version: reader.text('Version'),
    installation_number: reader.text('NumeroInstalacion'),
    is_verifactu_only: yesNo('TipoUsoPosibleSoloVerifactu'),
    supports_many_taxpayers: yesNo('TipoUsoPosibleMultiOT'),
    has_many_taxpayers: yesNo('IndicadorMultiplesOT'),
  };
  reader.end();
  return system;
}

function readParty(reader: ElementReader): Party {
  const name = reader.text('NombreRazon');
  const tax_id = reader.maybeText('NIF');
  if (tax_id !== null) return { name, tax_id, foreign_id: null };
  const other = reader.one('IDOtro');
  const country = other.maybeText('CodigoPais');
  const type: ForeignIdType = other.choice('IDType', foreignIdTypes);
  const id = other.text('ID');
  other.end();
  return { name, tax_id: null, foreign_id: { type, country, id } };
}

/** Nothing may follow the person. */
export function readWholeParty(reader: ElementReader): Party {
  const party = readParty(reader);
  reader.end();
  return party;
}

export function readInvoiceRef(reader: ElementReader): InvoiceRef {
  return {
    tax_id: reader.text('IDEmisorFactura'),
    number: reader.text('NumSerieFactura'),
    issued_on: readDay(reader.text('FechaExpedicionFactura')),
  };
}
