/** Each record is right until a test changes a field; its huella covers the change. */
import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Identity } from '../src/index.ts';

const base =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
export const TAXPAYER = 'B00001016';
export const RECIPIENT = '89890002E';

/** The XML between the tags; undefined omits the field. */
export type Fields = Record<string, string | undefined>;

const altaOrder = `IDVersion IDFactura RefExterna NombreRazonEmisor Subsanacion RechazoPrevio TipoFactura
  TipoRectificativa FacturasRectificadas FacturasSustituidas ImporteRectificacion FechaOperacion
  DescripcionOperacion FacturaSimplificadaArt7273 FacturaSinIdentifDestinatarioArt61d Macrodato
  EmitidaPorTerceroODestinatario Tercero Destinatarios Cupon Desglose CuotaTotal ImporteTotal Encadenamiento
  SistemaInformatico FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion IdAcuerdoSistemaInformatico
  TipoHuella Huella`.split(/\s+/);
const annulmentOrder = `IDVersion IDFactura RefExterna SinRegistroPrevio RechazoPrevio GeneradoPor Generador
  Encadenamiento SistemaInformatico FechaHoraHusoGenRegistro TipoHuella Huella`.split(/\s+/);

export const tag = (name: string, inside: string) => `<sf:${name}>${inside}</sf:${name}>`;
export const tags = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, inside]) => (inside === undefined ? '' : tag(name, inside)))
    .join('');

export const byNif = (nif: string, name = 'Cliente de prueba') => tags({ NombreRazon: name, NIF: nif });
export const byOther = (id_type: string, id: string, country?: string) =>
  tags({
    NombreRazon: 'Foreign client',
    IDOtro: tags({ CodigoPais: country, IDType: id_type, ID: id }),
  });
export const recipients = (...persons: string[]) =>
  persons.map((person) => tag('IDDestinatario', person)).join('');

/** By default 100.00 at 21 %. */
export const detail = (fields: Fields = {}) =>
  tag(
    'DetalleDesglose',
    tags({
      Impuesto: '01',
      ClaveRegimen: '01',
      CalificacionOperacion: 'S1',
      OperacionExenta: undefined,
      TipoImpositivo: '21.00',
      BaseImponibleOimporteNoSujeto: '100.00',
      BaseImponibleACoste: undefined,
      CuotaRepercutida: '21.00',
      TipoRecargoEquivalencia: undefined,
      CuotaRecargoEquivalencia: undefined,
      ...fields,
    }),
  );
/** What an exempt or non-subject line omits. */
export const untaxed = { TipoImpositivo: undefined, CuotaRepercutida: undefined };

export const invoiceId = (number: string, date: string, issuer = TAXPAYER) =>
  tags({ IDEmisorFactura: issuer, NumSerieFactura: number, FechaExpedicionFactura: date });
export const after = (number: string, date: string, huella: string) =>
  tag('RegistroAnterior', invoiceId(number, date) + tag('Huella', huella));

export const system: Fields = {
  NombreRazon: 'Productora de Ejemplo SL',
  NIF: 'B12345674',
  IDOtro: undefined,
  NombreSistemaInformatico: 'Sistema de Ejemplo',
  IdSistemaInformatico: 'SE',
  Version: '1.0.0',
  NumeroInstalacion: '1',
  TipoUsoPosibleSoloVerifactu: 'N',
  TipoUsoPosibleMultiOT: 'S',
  IndicadorMultiplesOT: 'N',
};

let installations = 0;

/** The first record of an installation of its own. */
const common = (): Fields => ({
  IDVersion: '1.0',
  Encadenamiento: tag('PrimerRegistro', 'S'),
  SistemaInformatico: tags({ ...system, NumeroInstalacion: `test ${++installations}` }),
  FechaHoraHusoGenRegistro: '2026-03-10T11:59:00+01:00',
  TipoHuella: '01',
});

/** An F1 of 10 March 2026, 121.00 in total. */
export function alta(number: string, fields: Fields = {}): string {
  const all: Fields = {
    ...common(),
    IDFactura: invoiceId(number, '10-03-2026'),
    NombreRazonEmisor: 'Empresa de prueba SL',
    TipoFactura: 'F1',
    DescripcionOperacion: 'Servicios de prueba',
    Destinatarios: recipients(byNif(RECIPIENT)),
    Desglose: detail(),
    CuotaTotal: '21.00',
    ImporteTotal: '121.00',
    ...fields,
  };
  const names = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'];
  return write('RegistroAlta', altaOrder, all, names, ['TipoFactura', 'CuotaTotal', 'ImporteTotal']);
}

/** A ticket has no recipient. */
export const ticket = (number: string, fields: Fields = {}) =>
  alta(number, { TipoFactura: 'F2', Destinatarios: undefined, ...fields });

export function annulment(number: string, fields: Fields = {}): string {
  const id = tags({
    IDEmisorFacturaAnulada: TAXPAYER,
    NumSerieFacturaAnulada: number,
    FechaExpedicionFacturaAnulada: '10-03-2026',
  });
  const names = ['IDEmisorFacturaAnulada', 'NumSerieFacturaAnulada', 'FechaExpedicionFacturaAnulada'];
  return write('RegistroAnulacion', annulmentOrder, { ...common(), IDFactura: id, ...fields }, names, []);
}

function write(element: string, order: string[], fields: Fields, id: string[], own: string[]): string {
  const inside = (xml: string | undefined, name: string) =>
    plainText(new RegExp(`<sf:${name}>([^<]*)<`).exec(xml ?? '')?.[1] ?? '');
  const parts = [
    ...id.map((name) => [name, inside(fields.IDFactura, name)]),
    ...own.map((name) => [name, plainText(fields[name] ?? '')]),
    ['Huella', inside(fields.Encadenamiento, 'Huella')],
    ['FechaHoraHusoGenRegistro', fields.FechaHoraHusoGenRegistro ?? ''],
  ];
  const text = parts.map(([name, value]) => `${name}=${value?.trim()}`).join('&');
  const huella = createHash('sha256').update(text).digest('hex').toUpperCase();
  const all: Fields = { Huella: huella, ...fields };
  return tag(element, tags(Object.fromEntries(order.map((name) => [name, all[name]]))));
}

const plainText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const envelope = (payload: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:lr="${base}SuministroLR.xsd" xmlns:con="${base}ConsultaLR.xsd" xmlns:sf="${base}SuministroInformacion.xsd"><soapenv:Header/><soapenv:Body>${payload}</soapenv:Body></soapenv:Envelope>`;

/** `header` comes after ObligadoEmision. */
export function submission(records: readonly string[], { nif = TAXPAYER, header = '' } = {}): string {
  const list = records.map((record) => `<lr:RegistroFactura>${record}</lr:RegistroFactura>`).join('');
  const taxpayer = tag('ObligadoEmision', byNif(nif, 'Empresa de prueba SL'));
  return envelope(
    `<lr:RegFactuSistemaFacturacion><lr:Cabecera>${taxpayer}${header}</lr:Cabecera>${list}</lr:RegFactuSistemaFacturacion>`,
  );
}

/** Of March 2026; `filter` comes after the period. */
export function query({ nif = TAXPAYER, filter = '', as = 'ObligadoEmision', month = '03' } = {}): string {
  const header = tag('IDVersion', '1.0') + tag(as, byNif(nif, 'Empresa de prueba SL'));
  return envelope(
    `<con:ConsultaFactuSistemaFacturacion><con:Cabecera>${header}</con:Cabecera><con:FiltroConsulta><con:PeriodoImputacion>${tags({ Ejercicio: '2026', Periodo: month })}</con:PeriodoImputacion>${filter}</con:FiltroConsulta></con:ConsultaFactuSistemaFacturacion>`,
  );
}

export type AuthorityClient = {
  post: (body: string | Uint8Array, options?: SendOptions) => Promise<Answer>;
  close: () => Promise<void>;
};
export type SendOptions = { sandbox?: string; method?: 'GET' | 'POST'; timeout?: number; path?: string };
export type Answer = { status: number; text: string };

export function authorityClient(
  simulator: { url: string; ca: string },
  identity?: Identity,
): AuthorityClient {
  const agent = new Agent({ connect: { ca: simulator.ca, ...identity } });
  return {
    async post(body, { sandbox, method = 'POST', timeout, path } = {}) {
      const url = new URL(simulator.url);
      if (sandbox !== undefined) url.searchParams.set('sandbox', sandbox);
      if (path !== undefined) url.pathname = path;
      const response = await request(url, {
        method,
        dispatcher: agent,
        headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
        ...(method === 'POST' ? { body } : {}),
        ...(timeout === undefined ? {} : { headersTimeout: timeout, bodyTimeout: timeout }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    },
    close: () => agent.destroy(),
  };
}

/** In order, with any prefix. */
export function valuesOf(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`, 'g'))].map((match) => match[1] ?? '');
}

/** `Correcto`, `Incorrecto 3000`. */
export function linesOf(text: string): string[] {
  return text
    .split('<r:RespuestaLinea>')
    .slice(1)
    .map((line) => {
      const [state, code] = [valuesOf(line, 'EstadoRegistro')[0], valuesOf(line, 'CodigoErrorRegistro')[0]];
      return code === undefined ? `${state}` : `${state} ${code}`;
    });
}

/** `Client 4102`; undefined without a fault. */
export function faultOf(text: string): string | undefined {
  const side = /<faultcode>\w+:(\w+)</.exec(text)?.[1];
  const code = /Codigo\[(\d+)\]/.exec(text)?.[1];
  return side === undefined ? undefined : `${side} ${code}`;
}
