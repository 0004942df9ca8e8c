/** Each code from a record with a single error. */
import assert from 'node:assert/strict';
import { after as afterAll, test } from 'node:test';
import { NOON, startAuthority } from '../test/authority.ts';
import {
  after,
  alta,
  annulment,
  authorityClient,
  byNif,
  byOther,
  detail,
  type Fields,
  invoiceId,
  linesOf,
  recipients,
  submission,
  system,
  TAXPAYER,
  tag,
  tags,
  ticket,
  untaxed,
} from '../test/authority-messages.ts';

const { simulator, client } = await startAuthority();

const HASH = 'A'.repeat(64);
const rectification = tags({ BaseRectificada: '100.00', CuotaRectificada: '21.00' });
const corrective: Fields = { TipoFactura: 'R1', TipoRectificativa: 'I' };
const on = (date: string): Fields => ({ IDFactura: invoiceId('A1', date) });
const numbered = (number: string): Fields => ({ IDFactura: invoiceId(number, '10-03-2026') });
const line = (fields: Fields): Fields => ({ Desglose: detail(fields) });
/** An untaxed line of 100.00 with matching totals. */
const plain = (fields: Fields): Fields => ({
  Desglose: detail({ ...untaxed, ...fields }),
  CuotaTotal: '0.00',
  ImporteTotal: '100.00',
});
const exempt = (reason: string, fields: Fields = {}) =>
  plain({ CalificacionOperacion: undefined, OperacionExenta: reason, ...fields });
const surcharge = (rate: string, surcharge_rate: string, fields: Fields = {}): Fields => ({
  Desglose: detail({
    TipoImpositivo: rate,
    CuotaRepercutida: '0.00',
    BaseImponibleOimporteNoSujeto: '0.00',
    TipoRecargoEquivalencia: surcharge_rate,
    CuotaRecargoEquivalencia: '0.00',
  }),
  CuotaTotal: '0.00',
  ImporteTotal: '0.00',
  ...fields,
});
const to = (...persons: string[]): Fields => ({ Destinatarios: recipients(...persons) });
const autumn2024: Fields = { FechaOperacion: '15-11-2024' };
const works = (fields: Fields = {}): Fields => ({
  ...line({ ClaveRegimen: '14' }),
  FechaOperacion: '30-06-2026',
  Destinatarios: recipients(byNif('P2800001A')),
  ...fields,
});

const altas: [expected: string, what: string, fields: Fields][] = [
  ['Correcto', 'nothing wrong', {}],
  ['Incorrecto 1108', 'another issuer', { IDFactura: invoiceId('A1', '10-03-2026', '89890001K') }],
  ['Incorrecto 1287', 'a quote in the number', numbered('A"1')],
  ['Incorrecto 1130', 'an accent in the number', numbered('Ñ1')],
  ['Correcto', 'blanks, ampersand and slash in the number', numbered('A &amp; 1/2')],
  ['Incorrecto 1105', 'a day that is none', on('31-02-2026')],
  ['Incorrecto 1244', 'fractions of a second', { FechaHoraHusoGenRegistro: '2026-03-10T11:59:00.5+01:00' }],
  ['Incorrecto 1244', 'no zone', { FechaHoraHusoGenRegistro: '2026-03-10T11:59:00' }],
  ['Correcto', 'Z as zone', { FechaHoraHusoGenRegistro: '2026-03-10T10:59:00Z' }],
  [
    'Incorrecto 1177',
    'one character',
    { SistemaInformatico: tags({ ...system, IdSistemaInformatico: 'S' }) },
  ],
  ['Incorrecto 1177', 'Ñ', { SistemaInformatico: tags({ ...system, IdSistemaInformatico: 'SÑ' }) }],
  ['Incorrecto 1176', 'producer', { SistemaInformatico: tags({ ...system, NIF: '123456789' }) }],
  [
    'Incorrecto 1221',
    'a producer not in the census',
    {
      SistemaInformatico: tags({
        ...system,
        NIF: undefined,
        IDOtro: tags({ CodigoPais: 'ES', IDType: '07', ID: 'X' }),
      }),
    },
  ],
  ['Incorrecto 1262', 'a short huella', { Huella: 'ABC' }],
  ['Incorrecto 1292', 'a huella with a hyphen', { Huella: `-${'A'.repeat(63)}` }],
  ['Incorrecto 1174', 'previous date', { Encadenamiento: after('A0', '31-02-2026', HASH) }],
  ['Incorrecto 1175', 'previous number', { Encadenamiento: after('', '09-03-2026', HASH) }],
  ['Incorrecto 1291', 'previous huella', { Encadenamiento: after('A0', '09-03-2026', '-'.repeat(64)) }],

  ['Incorrecto 1152', 'before the regulation', on('27-10-2024')],
  ['Correcto', 'the first day', on('28-10-2024')],
  ['Incorrecto 1112', 'tomorrow', on('11-03-2026')],
  ['Incorrecto 1145', 'no such day', { FechaOperacion: '30-02-2026' }],
  ['Incorrecto 1134', 'twenty years ago', { FechaOperacion: '09-03-2006' }],
  ['Correcto', 'not quite twenty years ago', { FechaOperacion: '10-03-2006' }],
  [
    'Correcto',
    'at the end of next year, with regime 15',
    { ...line({ ClaveRegimen: '15' }), FechaOperacion: '31-12-2027' },
  ],
  [
    'Incorrecto 1173',
    'in the future, for one line of two',
    { Desglose: detail({ ClaveRegimen: '15' }) + detail(), FechaOperacion: '11-03-2026' },
  ],
  ['Incorrecto 1125', 'after next year', { FechaOperacion: '01-01-2028' }],
  ['Incorrecto 1173', 'in the future', { FechaOperacion: '11-03-2026' }],
  ['Incorrecto 1146', 'after the issue date', { ...on('01-03-2026'), FechaOperacion: '05-03-2026' }],
  ['Correcto', 'before the issue date', { FechaOperacion: '05-03-2026' }],

  ['Incorrecto 1153', 'X without subsanación', { RechazoPrevio: 'X' }],
  ['Incorrecto 1153', 'X with subsanación N', { Subsanacion: 'N', RechazoPrevio: 'X' }],
  ['Incorrecto 1161', 'S without subsanación', { RechazoPrevio: 'S' }],
  ['Incorrecto 1114', 'corrective of no kind', { TipoFactura: 'R1' }],
  ['Incorrecto 1115', 'a kind and no corrective', { TipoRectificativa: 'I' }],
  [
    'Incorrecto 1116',
    'replaces and is no F3',
    { FacturasSustituidas: tag('IDFacturaSustituida', invoiceId('T1', '09-03-2026')) },
  ],
  [
    'Correcto',
    'F3 replaces',
    { TipoFactura: 'F3', FacturasSustituidas: tag('IDFacturaSustituida', invoiceId('T1', '09-03-2026')) },
  ],
  [
    'Incorrecto 1117',
    'rectifies and is no corrective',
    { FacturasRectificadas: tag('IDFacturaRectificada', invoiceId('T1', '09-03-2026')) },
  ],
  [
    'Incorrecto 1287',
    'a quote in a rectified number',
    { ...corrective, FacturasRectificadas: tag('IDFacturaRectificada', invoiceId("T'1", '09-03-2026')) },
  ],
  ['Incorrecto 1118', 'substitution without amounts', { TipoFactura: 'R1', TipoRectificativa: 'S' }],
  ['Incorrecto 1119', 'differences with amounts', { ...corrective, ImporteRectificacion: rectification }],
  [
    'Correcto',
    'substitution',
    { TipoFactura: 'R1', TipoRectificativa: 'S', ImporteRectificacion: rectification },
  ],
  [
    'Incorrecto 1183',
    'art. 7273 on F2',
    { TipoFactura: 'F2', Destinatarios: undefined, FacturaSimplificadaArt7273: 'S' },
  ],
  ['Incorrecto 1185', 'art. 6.1.d on F1', { FacturaSinIdentifDestinatarioArt61d: 'S' }],
  ['Incorrecto 1157', 'coupon on F1', { Cupon: 'S' }],
  ['Correcto', 'coupon on R1', { ...corrective, Cupon: 'S' }],
  ['Incorrecto 1155', 'a third party unannounced', { Tercero: byNif('89890001K') }],
  [
    'Incorrecto 1159',
    'a third party and the recipient',
    { EmitidaPorTerceroODestinatario: 'D', Tercero: byNif('89890001K') },
  ],
  [
    'Incorrecto 1158',
    'a ticket by a recipient that it does not name',
    { TipoFactura: 'F2', Destinatarios: undefined, EmitidaPorTerceroODestinatario: 'D' },
  ],
  ['Correcto', 'by the recipient', { EmitidaPorTerceroODestinatario: 'D' }],
  ['Incorrecto 1186', 'no third party', { EmitidaPorTerceroODestinatario: 'T' }],
  [
    'Incorrecto 1188',
    'the issuer as third party',
    { EmitidaPorTerceroODestinatario: 'T', Tercero: byNif(TAXPAYER) },
  ],
  [
    'Incorrecto 1211',
    'a third party not in the census',
    { EmitidaPorTerceroODestinatario: 'T', Tercero: byOther('07', '89890001K', 'ES') },
  ],
  ['Correcto', 'a third party', { EmitidaPorTerceroODestinatario: 'T', Tercero: byNif('89890001K') }],
  ['Incorrecto 1138', 'macro and small', { Macrodato: 'S' }],
  [
    'Incorrecto 1139',
    'large and not macro',
    {
      ...line({ BaseImponibleOimporteNoSujeto: '100000000.00', CuotaRepercutida: '21000000.00' }),
      CuotaTotal: '21000000.00',
      ImporteTotal: '121000000.00',
    },
  ],
  [
    'Correcto',
    'macro',
    {
      Macrodato: 'S',
      ...line({ BaseImponibleOimporteNoSujeto: '100000000.00', CuotaRepercutida: '21000000.00' }),
      CuotaTotal: '21000000.00',
      ImporteTotal: '121000000.00',
    },
  ],

  ['Incorrecto 1189', 'F1 without recipient', { Destinatarios: undefined }],
  ['Incorrecto 1190', 'F2 with recipient', { TipoFactura: 'F2' }],
  [
    'Incorrecto 1191',
    'R3 to a passport',
    { ...corrective, TipoFactura: 'R3', ...to(byOther('03', 'X1', 'US')) },
  ],
  [
    'Correcto',
    'R3 to someone not in the census',
    { ...corrective, TipoFactura: 'R3', ...to(byOther('07', '89890001K', 'ES')) },
  ],
  [
    'Incorrecto 1192',
    'R2 to a passport',
    { ...corrective, TipoFactura: 'R2', ...to(byOther('03', 'X1', 'US')) },
  ],
  [
    'Correcto',
    'R2 to a VAT number',
    { ...corrective, TipoFactura: 'R2', ...to(byOther('02', 'FR12345678901')) },
  ],
  ['Incorrecto 1123', 'a wrong letter', to(byNif('89890002A'))],
  ['Correcto', 'an entity with another control character', to(byNif('B12345670'))],
  ['Correcto', 'the issuer itself', to(byNif(TAXPAYER))],
  ['Incorrecto 1111', 'no country', to(byOther('04', 'X1'))],
  ['Incorrecto 1126', 'ES by foreign document', to(byOther('04', 'X1', 'ES'))],
  ['Incorrecto 1126', '07 abroad', to(byOther('07', '89890001K', 'FR'))],
  ['Incorrecto 1290', '07 and no NIF', to(byOther('07', 'X1', 'ES'))],
  ['Incorrecto 1131', '07 and an entity', to(byOther('07', 'B12345674', 'ES'))],
  ['Incorrecto 1103', 'no VAT number', to(byOther('02', 'FRANCE-1'))],
  ['Incorrecto 1103', 'a VAT number of Spain', to(byOther('02', 'ESB12345674'))],
  ['Incorrecto 1103', 'nothing', to(byOther('04', ' ', 'FR'))],
  ['Incorrecto 1122', "another country's VAT number", to(byOther('02', 'FR12345678901', 'DE'))],
  ['Correcto', 'Greece is EL', to(byOther('02', 'EL123456789', 'GR'))],
  ['Incorrecto 1255', 'GB today', to(byOther('02', 'GB123456789', 'GB'))],
  [
    'Incorrecto 1254',
    'XI before 2021',
    { ...to(byOther('02', 'XI123456789')), FechaOperacion: '31-12-2020' },
  ],

  ['Incorrecto 1245', 'no regime key', line({ ClaveRegimen: undefined })],
  ['Incorrecto 1246', 'a key of IGIC', line({ ClaveRegimen: '21' })],
  ['Incorrecto 1260', 'a key with other taxes', line({ Impuesto: '05' })],
  ['Incorrecto 1257', 'base at cost', line({ BaseImponibleACoste: '100.00' })],
  [
    'Correcto',
    'base at cost with other taxes',
    line({ Impuesto: '05', ClaveRegimen: undefined, BaseImponibleACoste: '100.00' }),
  ],
  ['Incorrecto 1199', '01 and an export', exempt('E2')],
  ['Correcto', '01 exempt', exempt('E1')],
  ['Incorrecto 1286', '02 and subject', line({ ClaveRegimen: '02' })],
  ['Correcto', '02 exempt', exempt('E2', { ClaveRegimen: '02' })],
  [
    'Incorrecto 1200',
    '03 and reverse charge',
    plain({ ClaveRegimen: '03', CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0' }),
  ],
  ['Incorrecto 1201', '04 and S1', line({ ClaveRegimen: '04' })],
  ['Incorrecto 1202', '06 without base at cost', line({ ClaveRegimen: '06' })],
  [
    'Incorrecto 1202',
    '06 on F3',
    { TipoFactura: 'F3', ...line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00' }) },
  ],
  ['Correcto', '06', line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00' })],
  ['Incorrecto 1203', '07 and not subject', plain({ ClaveRegimen: '07', CalificacionOperacion: 'N1' })],
  ['Incorrecto 1203', '07 and E5', exempt('E5', { ClaveRegimen: '07' })],
  ['Incorrecto 1252', '08 and subject', line({ ClaveRegimen: '08' })],
  ['Correcto', '08', plain({ ClaveRegimen: '08', CalificacionOperacion: 'N2' })],
  ['Incorrecto 1205', '10 and subject', line({ ClaveRegimen: '10' })],
  [
    'Incorrecto 1205',
    '10 to a foreigner',
    { ...plain({ ClaveRegimen: '10', CalificacionOperacion: 'N1' }), ...to(byOther('04', 'X1', 'FR')) },
  ],
  ['Correcto', '10', plain({ ClaveRegimen: '10', CalificacionOperacion: 'N1' })],
  [
    'Incorrecto 1206',
    '11 at 10 per cent',
    line({ ClaveRegimen: '11', TipoImpositivo: '10.00', CuotaRepercutida: '10.00' }),
  ],
  ['Correcto', '14', works()],
  ['Incorrecto 1147', '14 and no date of operation', works({ FechaOperacion: undefined })],
  ['Incorrecto 1147', '14 and done already', works({ FechaOperacion: '10-03-2026' })],
  ['Incorrecto 1148', '14 on F3', works({ TipoFactura: 'F3' })],
  ['Incorrecto 1149', '14 to a company', works({ Destinatarios: recipients(byNif('B12345674')) })],
  ['Incorrecto 1293', '20 of IGIC and subject', line({ Impuesto: '03', ClaveRegimen: '20' })],

  ['Incorrecto 1182', 'E7 with VAT', exempt('E7')],
  ['Correcto', 'E7 with IGIC', exempt('E7', { Impuesto: '03' })],
  ['Incorrecto 1289', 'E5 to a NIF', exempt('E5')],
  ['Correcto', 'E5 to a VAT number', { ...exempt('E5'), ...to(byOther('02', 'FR12345678901')) }],
  ['Incorrecto 1238', 'exempt and a rate', exempt('E1', { TipoImpositivo: '21.00' })],
  ['Incorrecto 1237', 'not subject and a rate', plain({ CalificacionOperacion: 'N1', TipoImpositivo: '0' })],
  [
    'Incorrecto 1197',
    'reverse charge on F2',
    {
      TipoFactura: 'F2',
      Destinatarios: undefined,
      ...plain({ CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0' }),
    },
  ],
  ['Incorrecto 1198', 'reverse charge and tax', line({ CalificacionOperacion: 'S2' })],
  ['Incorrecto 1198', 'reverse charge without rate', plain({ CalificacionOperacion: 'S2' })],
  [
    'Correcto',
    'reverse charge',
    plain({ CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0' }),
  ],
  ['Incorrecto 1207', 'IGIC not subject and tax', line({ Impuesto: '03', CalificacionOperacion: 'N1' })],
  [
    'Incorrecto 1281',
    'reverse charge and surcharge',
    plain({
      CalificacionOperacion: 'S2',
      TipoImpositivo: '0',
      CuotaRepercutida: '0',
      TipoRecargoEquivalencia: '0',
      CuotaRecargoEquivalencia: '0',
    }),
  ],
  ['Incorrecto 1284', 'half a surcharge', line({ TipoRecargoEquivalencia: '5.20' })],
  ['Incorrecto 1208', 'no rate', line({ TipoImpositivo: undefined })],
  [
    'Incorrecto 1209',
    '06 without rate',
    line({ ClaveRegimen: '06', BaseImponibleACoste: '100.00', TipoImpositivo: undefined }),
  ],
  ['Incorrecto 1143', 'signs differ', line({ CuotaRepercutida: '-21.00' })],
  [
    'Correcto',
    'signs differ by differences',
    { ...corrective, ...line({ CuotaRepercutida: '-21.00' }), CuotaTotal: '-21.00', ImporteTotal: '79.00' },
  ],
  [
    'Incorrecto 1142',
    'tax 10.01 off',
    { ...line({ CuotaRepercutida: '31.01' }), CuotaTotal: '31.01', ImporteTotal: '131.01' },
  ],
  [
    'Correcto',
    'tax 10.00 off',
    { ...line({ CuotaRepercutida: '31.00' }), CuotaTotal: '31.00', ImporteTotal: '131.00' },
  ],
  [
    'Incorrecto 1142',
    'surcharge 10.01 off',
    line({ TipoRecargoEquivalencia: '5.20', CuotaRecargoEquivalencia: '15.21' }),
  ],
  ['Incorrecto 1140', 'signs differ at cost', line({ ClaveRegimen: '06', BaseImponibleACoste: '-100.00' })],
  ['Incorrecto 1144', 'tax off at cost', line({ ClaveRegimen: '06', BaseImponibleACoste: '200.00' })],

  ['Incorrecto 1124', 'a rate of IGIC', line({ TipoImpositivo: '7.00', CuotaRepercutida: '7.00' })],
  [
    'Correcto',
    'that rate with IGIC',
    {
      ...line({ Impuesto: '03', TipoImpositivo: '7.00', CuotaRepercutida: '7.00' }),
      CuotaTotal: '7.00',
      ImporteTotal: '107.00',
    },
  ],
  ['Incorrecto 1194', '5 per cent today', line({ TipoImpositivo: '5', CuotaRepercutida: '5' })],
  ['Incorrecto 1235', '2 per cent today', line({ TipoImpositivo: '2', CuotaRepercutida: '2' })],
  ['Incorrecto 1236', '7.5 per cent today', line({ TipoImpositivo: '7.5', CuotaRepercutida: '7.5' })],
  ['Incorrecto 1127', 'no such surcharge', surcharge('21', '3.00')],
  ['Incorrecto 1162', '21 and 1.4', surcharge('21', '1.4')],
  ['Incorrecto 1163', '10 and 5.2', surcharge('10', '5.2')],
  ['Incorrecto 1164', '4 and 1.4', surcharge('4', '1.4')],
  ['Incorrecto 1170', '0 and 0 today', surcharge('0', '0')],
  ['Incorrecto 1165', '0 and 0.26 before', { ...surcharge('0', '0.26'), FechaOperacion: '30-09-2024' }],
  ['Incorrecto 1166', '2 and 0.5', { ...surcharge('2', '0.5'), ...autumn2024 }],
  ['Incorrecto 1169', '7.5 and 1.4', { ...surcharge('7.5', '1.4'), ...autumn2024 }],
  ['Incorrecto 1160', '5 and 1', { ...surcharge('5', '1'), FechaOperacion: '30-09-2024' }],
  ['Incorrecto 1167', '5 and 0.5 in 2023', { ...surcharge('5', '0.5'), FechaOperacion: '01-01-2023' }],
  ['Incorrecto 1168', '5 and 0.62 in 2022', { ...surcharge('5', '0.62'), FechaOperacion: '31-12-2022' }],

  ['Correcto', '21 and 5.2', surcharge('21', '5.20')],
  ['Correcto', '21 and 1.75', surcharge('21.00', '1.75')],
  ['Correcto', '10 and 1.4', surcharge('10', '1.4')],
  ['Correcto', '4 and 0.5', surcharge('4', '0.50')],
  ['Correcto', '0 and 0.26', surcharge('0', '0.26')],
  ['Correcto', '0 and 0 before', surcharge('0', '0', { FechaOperacion: '30-09-2024' })],
  ['Correcto', '2 and 0.26', surcharge('2', '0.26', { FechaOperacion: '01-10-2024' })],
  ['Correcto', '7.5 and 1', surcharge('7.5', '1', { FechaOperacion: '31-12-2024' })],
  ['Correcto', '5 and 0.5', surcharge('5', '0.5', { FechaOperacion: '01-07-2022' })],
  ['Correcto', '5 and 0.62', surcharge('5', '0.62', { FechaOperacion: '01-01-2023' })],

  ['AceptadoConErrores 2000', 'a wrong huella', { Huella: HASH }],
  ['AceptadoConErrores 2004', '241 s ahead', { FechaHoraHusoGenRegistro: '2026-03-10T12:04:01+01:00' }],
  ['Correcto', '240 s ahead', { FechaHoraHusoGenRegistro: '2026-03-10T12:04:00+01:00' }],
  ['Correcto', 'a stamp of last year', { FechaHoraHusoGenRegistro: '2025-03-10T12:04:00+01:00' }],
  ['AceptadoConErrores 2006', 'tax total 10.01 off', { CuotaTotal: '31.01' }],
  ['Correcto', 'tax total 10.00 off', { CuotaTotal: '31.00' }],
  ['AceptadoConErrores 2005', 'total 10.01 off', { ImporteTotal: '131.01' }],
  [
    'Correcto',
    'totals of a regime that has its own',
    { ...plain({ ClaveRegimen: '08', CalificacionOperacion: 'N2' }), ImporteTotal: '900.00' },
  ],
  [
    'AceptadoConErrores 2002',
    'a short previous huella',
    { Encadenamiento: after('A0', '09-03-2026', 'ABC') },
  ],
  [
    'AceptadoConErrores 2003',
    'a previous huella in lower case',
    { Encadenamiento: after('A0', '09-03-2026', 'a'.repeat(64)) },
  ],
  ['AceptadoConErrores 2009', 'IPSI without a key', line({ Impuesto: '02', ClaveRegimen: undefined })],
  [
    'AceptadoConErrores 2009',
    'IPSI with a key that is not its own',
    line({ Impuesto: '02', ClaveRegimen: '07' }),
  ],
  [
    'Correcto',
    'a previous record: the link is not looked up',
    { Encadenamiento: after('A0', '09-03-2026', HASH) },
  ],
];

for (const [index, [expected, what, fields]] of altas.entries()) {
  test(`alta: ${what}: ${expected}`, async () => {
    const { text } = await client.post(submission([alta('A1', fields)]), { sandbox: `alta-${index}` });
    assert.deepEqual(linesOf(text), [expected], text);
  });
}

const generated = (by: string, generator: string): Fields => ({ GeneradoPor: by, Generador: generator });
const annulments: [expected: string, what: string, fields: Fields][] = [
  ['Correcto', 'nothing wrong', {}],
  ['Incorrecto 1224', 'no generator', { GeneradoPor: 'E' }],
  ['Incorrecto 1224', 'a generator of no kind', { Generador: byNif('89890001K') }],
  ['Incorrecto 1227', 'the issuer by passport', generated('E', byOther('03', 'X1', 'ES'))],
  ['Incorrecto 1229', 'a third party not in the census', generated('T', byOther('07', '89890001K', 'ES'))],
  ['Incorrecto 1230', 'a recipient of ES by foreign document', generated('D', byOther('04', 'X1', 'ES'))],
  ['Incorrecto 1232', 'a third party of ES by foreign document', generated('T', byOther('04', 'X1', 'ES'))],
  ['Incorrecto 1258', 'a wrong letter', generated('T', byNif('89890001A'))],
  ['Incorrecto 1259', 'the issuer as third party', generated('T', byNif(TAXPAYER))],
  ['Correcto', 'the issuer', generated('E', byNif(TAXPAYER))],
  ['Correcto', 'a third party', generated('T', byNif('89890001K'))],
  ['Incorrecto 1244', 'no zone', { FechaHoraHusoGenRegistro: '2026-03-10T11:59:00' }],
  ['AceptadoConErrores 2000', 'a wrong huella', { Huella: HASH }],
  ['AceptadoConErrores 2004', 'a stamp ahead', { FechaHoraHusoGenRegistro: '2026-03-10T12:05:00+01:00' }],
];

for (const [index, [expected, what, fields]] of annulments.entries()) {
  test(`anulación: ${what}: ${expected}`, async () => {
    const records = [annulment('A1', { SinRegistroPrevio: 'S', ...fields })];
    const { text } = await client.post(submission(records), { sandbox: `annulment-${index}` });
    assert.deepEqual(linesOf(text), [expected], text);
  });
}

test('the characters of a number are judged in an anulación too', async () => {
  const id = tags({
    IDEmisorFacturaAnulada: TAXPAYER,
    NumSerieFacturaAnulada: 'A=1',
    FechaExpedicionFacturaAnulada: '10-03-2026',
  });
  const { text } = await client.post(submission([annulment('', { IDFactura: id })]), { sandbox: 'number' });
  assert.deepEqual(linesOf(text), ['Incorrecto 1287']);
});

test('a simplified invoice may come to 3,010.00, and to more with an agreement or without recipient by 6.1.d', async () => {
  const of = (base: string, fields: Fields = {}) => ({
    Desglose: detail({ BaseImponibleOimporteNoSujeto: base, TipoImpositivo: '0', CuotaRepercutida: '0.00' }),
    CuotaTotal: '0.00',
    ImporteTotal: base,
    ...fields,
  });
  const records = [
    ticket('T1', of('3010.00')),
    ticket('T2', { ...of('3010.01'), IDFactura: invoiceId('T2', '10-03-2026') }),
    ticket('T3', of('9000.00', { NumRegistroAcuerdoFacturacion: 'ACUERDO1' })),
    ticket('T4', of('9000.00', { FacturaSinIdentifDestinatarioArt61d: 'S' })),
  ];
  const { text } = await client.post(submission(records), { sandbox: 'ceiling' });
  assert.deepEqual(linesOf(text), ['Correcto', 'Incorrecto 1150', 'Correcto', 'Correcto']);
});

test('a record that takes the previous huella for its own is accepted with 2008', async () => {
  const { text } = await client.post(
    submission([alta('A1', { Huella: HASH, Encadenamiento: after('A0', '09-03-2026', HASH) })]),
    { sandbox: 'itself' },
  );
  assert.deepEqual(linesOf(text), ['AceptadoConErrores 2008']);
});

test('the clock that counts is the one of the company', async (t) => {
  const { startSimulator } = await import('./index.ts');
  const clocks: Record<string, Date> = {
    late: new Date('2027-01-01T11:00:00Z'),
    far: new Date('2045-06-01T11:00:00Z'),
  };
  const other = await startSimulator({ now: async (company_id) => clocks[company_id] ?? NOON });
  const sender = authorityClient(other, await other.clientIdentity(TAXPAYER, 'Empresa', 'seal'));
  t.after(async () => {
    await sender.close();
    await other.stop();
  });
  const ipsi = alta('A1', line({ Impuesto: '02', ClaveRegimen: undefined }));
  const send = async (record: string, sandbox: string) =>
    linesOf((await sender.post(submission([record]), { sandbox })).text);
  assert.deepEqual(await send(ipsi, 'late'), ['Incorrecto 1245']);
  assert.deepEqual(await send(ipsi, 'now'), ['AceptadoConErrores 2009']);
  assert.deepEqual(await send(alta('A1'), 'far'), ['Correcto']);
  assert.deepEqual(await send(alta('A2', on('28-10-2024')), 'far'), ['Incorrecto 1133']);
});

afterAll(() => assert.ok(simulator.log.length <= 100, 'the log is bounded'));
