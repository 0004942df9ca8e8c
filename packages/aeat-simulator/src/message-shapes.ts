/**
 * The shapes of both requests, from the published record design.
 * official-schemas.ts also asks the authority's schemas, where given.
 */
import { authorityCountries } from './countries.ts';
import { namespaces } from './namespaces.ts';
import {
  among,
  type Field,
  many,
  matching,
  may,
  need,
  oneOf,
  option,
  type Shape,
  sequence,
  text,
  upTo,
} from './shape.ts';

const amount = matching(/^[+-]?\d{1,12}(\.\d{0,2})?$/);
const rate = matching(/^\d{1,3}(\.\d{0,2})?$/);
const date = matching(/^\d{2}-\d{2}-\d{4}$/);
const nif = upTo(9, 9);
const yes_no = among('S', 'N');
const yes = among('S');
const invoice_number = upTo(60, 1);
const version = among('1.0');
const instant = text((value) => {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?$/.exec(
    value.trim(),
  );
  if (!match) return false;
  const parsed = new Date(`${match[1]}T${match[2]}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(match[1] ?? '');
});

const other_id = sequence(
  may(
    'CodigoPais',
    text((value) => authorityCountries.has(value)),
  ),
  need('IDType', among('02', '03', '04', '05', '06', '07')),
  need('ID', upTo(20)),
);
const spanish_person = sequence(need('NombreRazon', upTo(120)), need('NIF', nif));
const identified: Field[] = [
  need('NombreRazon', upTo(120)),
  oneOf(option('NIF', nif), option('IDOtro', other_id)),
];
const person = sequence(...identified);
const invoice_id = sequence(
  need('IDEmisorFactura', nif),
  need('NumSerieFactura', invoice_number),
  need('FechaExpedicionFactura', date),
);

const detail = sequence(
  may('Impuesto', among('01', '02', '03', '05')),
  may('ClaveRegimen', matching(/^(0[1-9]|1[014578]|19|2[01])$/)),
  oneOf(
    option('CalificacionOperacion', among('S1', 'S2', 'N1', 'N2')),
    option('OperacionExenta', matching(/^E[1-8]$/)),
  ),
  may('TipoImpositivo', rate),
  need('BaseImponibleOimporteNoSujeto', amount),
  may('BaseImponibleACoste', amount),
  may('CuotaRepercutida', amount),
  may('TipoRecargoEquivalencia', rate),
  may('CuotaRecargoEquivalencia', amount),
);

const system = sequence(
  ...identified,
  need('NombreSistemaInformatico', upTo(30)),
  need('IdSistemaInformatico', upTo(2)),
  need('Version', upTo(50)),
  need('NumeroInstalacion', upTo(100)),
  need('TipoUsoPosibleSoloVerifactu', yes_no),
  need('TipoUsoPosibleMultiOT', yes_no),
  need('IndicadorMultiplesOT', yes_no),
);

const chain = sequence(
  oneOf(
    option('PrimerRegistro', yes),
    option(
      'RegistroAnterior',
      sequence(
        need('IDEmisorFactura', nif),
        need('NumSerieFactura', upTo(60)),
        need('FechaExpedicionFactura', date),
        need('Huella', upTo(64)),
      ),
    ),
  ),
);
const signature = may('Signature', { kind: 'anything' }, namespaces.signature);

const alta = sequence(
  need('IDVersion', version),
  need('IDFactura', invoice_id),
  may('RefExterna', upTo(60)),
  need('NombreRazonEmisor', upTo(120)),
  may('Subsanacion', yes_no),
  may('RechazoPrevio', among('N', 'S', 'X')),
  need('TipoFactura', among('F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5')),
  may('TipoRectificativa', among('S', 'I')),
  may('FacturasRectificadas', sequence(many('IDFacturaRectificada', 1000, invoice_id))),
  may('FacturasSustituidas', sequence(many('IDFacturaSustituida', 1000, invoice_id))),
  may(
    'ImporteRectificacion',
    sequence(
      need('BaseRectificada', amount),
      need('CuotaRectificada', amount),
      may('CuotaRecargoRectificado', amount),
    ),
  ),
  may('FechaOperacion', date),
  need('DescripcionOperacion', upTo(500)),
  may('FacturaSimplificadaArt7273', yes_no),
  may('FacturaSinIdentifDestinatarioArt61d', yes_no),
  may('Macrodato', yes_no),
  may('EmitidaPorTerceroODestinatario', among('T', 'D')),
  may('Tercero', person),
  may('Destinatarios', sequence(many('IDDestinatario', 1000, person))),
  may('Cupon', yes_no),
  need('Desglose', sequence(many('DetalleDesglose', 12, detail))),
  need('CuotaTotal', amount),
  need('ImporteTotal', amount),
  need('Encadenamiento', chain),
  need('SistemaInformatico', system),
  need('FechaHoraHusoGenRegistro', instant),
  may('NumRegistroAcuerdoFacturacion', upTo(15)),
  may('IdAcuerdoSistemaInformatico', upTo(16)),
  need('TipoHuella', among('01')),
  need('Huella', upTo(64)),
  signature,
);

const annulment = sequence(
  need('IDVersion', version),
  need(
    'IDFactura',
    sequence(
      need('IDEmisorFacturaAnulada', nif),
      need('NumSerieFacturaAnulada', invoice_number),
      need('FechaExpedicionFacturaAnulada', date),
    ),
  ),
  may('RefExterna', upTo(60)),
  may('SinRegistroPrevio', yes_no),
  may('RechazoPrevio', yes_no),
  may('GeneradoPor', among('E', 'D', 'T')),
  may('Generador', person),
  need('Encadenamiento', chain),
  need('SistemaInformatico', system),
  need('FechaHoraHusoGenRegistro', instant),
  need('TipoHuella', among('01')),
  need('Huella', upTo(64)),
  signature,
);

const header = sequence(
  need('ObligadoEmision', spanish_person),
  may('Representante', spanish_person),
  may('RemisionVoluntaria', sequence(may('FechaFinVeriFactu', date), may('Incidencia', yes_no))),
  may('RemisionRequerimiento', sequence(need('RefRequerimiento', upTo(18)), may('FinRequerimiento', yes_no))),
);

export const submissionShape: Shape = sequence(
  need('Cabecera', header, namespaces.lr),
  many(
    'RegistroFactura',
    1000,
    sequence(oneOf(option('RegistroAlta', alta), option('RegistroAnulacion', annulment))),
    namespaces.lr,
  ),
);

const query_header = sequence(
  need('IDVersion', version),
  {
    options: [option('ObligadoEmision', spanish_person), option('Destinatario', spanish_person)],
    min: 0,
    max: 1,
  },
  may('IndicadorRepresentante', yes),
);
const query_filter = sequence(
  need(
    'PeriodoImputacion',
    sequence(need('Ejercicio', matching(/^\d{4}$/)), need('Periodo', matching(/^(0[1-9]|1[0-2])$/))),
    namespaces.query,
  ),
  may('NumSerieFactura', invoice_number, namespaces.query),
  may('Contraparte', person, namespaces.query),
  may(
    'FechaExpedicionFactura',
    sequence({
      options: [
        option('FechaExpedicionFactura', date),
        option('RangoFechaExpedicion', sequence(may('Desde', date), may('Hasta', date))),
      ],
      min: 0,
      max: 1,
    }),
    namespaces.query,
  ),
  may('SistemaInformatico', { kind: 'anything' }, namespaces.query),
  may('RefExterna', upTo(60), namespaces.query),
  may('ClavePaginacion', invoice_id, namespaces.query),
);

export const queryShape: Shape = sequence(
  need('Cabecera', query_header, namespaces.query),
  need('FiltroConsulta', query_filter, namespaces.query),
  may(
    'DatosAdicionalesRespuesta',
    sequence(
      may('MostrarNombreRazonEmisor', yes_no, namespaces.query),
      may('MostrarSistemaInformatico', yes_no, namespaces.query),
    ),
    namespaces.query,
  ),
);
