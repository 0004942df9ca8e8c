/** What an invoice's lines would cost. It writes nothing. */
import { checkCurrencyCode } from '../../../domain/sales/currency.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { readForResolving, resolveLines } from '../resolve-lines.ts';
import { presentLine, ResolvedPrices, ResolvePricesInput } from '../resolve.schema.ts';

export const resolvePrices = defineOperation({
  name: 'resolve_prices',
  method: 'POST',
  path: '/v1/price-lists/resolve',
  scope: 'price_lists:read',
  rate: 'read',
  tag: 'price_lists',
  summary: 'Consulta el precio de hasta 100 líneas.',
  description:
    'Responde, sin guardar nada, el precio que tomaría cada línea en un documento que no lo dijera: el de la tarifa que se pide, si no el de la del cliente y si no el de la predeterminada. Esa tarifa no cuenta si está archivada, ese día no vale o es de otra moneda: nunca se convierte. De la tarifa se toma, entre los precios que valen ese día y para esa cantidad, el más preciso (variante y presentación, variante, presentación, producto), de ellos el de mayor min_quantity y de ellos el de valid_from más reciente. Si no hay ninguno, el precio propio del producto, que es en euros; en otra moneda la línea está unavailable. También lo está la línea que un documento rechazaría porque falta elegir variante, presentación u opción: lo dice reason_code, como en resolve-selection. Una cantidad negativa cuenta por su tamaño. next_break dice desde qué cantidad cambia, también de un pack por los escalones de sus componentes. El precio de una tarifa con impuestos en un documento sin ellos, o al revés, se convierte con el tipo de la línea. Un id desconocido se rechaza (parameter_invalid), y los packs de más de 500 componentes en total, como en un documento (business_rule_violation).',
  transaction: 'read',
  mcp: true,
  body_limit: largestBody,
  body: ResolvePricesInput,
  output: One(ResolvedPrices),
  errors: [c.business_rule_violation, c.missing_required_param],
  examples: [
    {
      title: 'Para un cliente',
      body: { client_id: '{client}', lines: [{ product_id: '{product}', quantity: 12 }] },
    },
  ],

  prefetch: (tx, company_id, { body }) => readForResolving(tx, company_id, body),

  async handle(ctx, { body }, rows) {
    const { currency = 'EUR', prices_include_tax = false, on_date = ctx.today } = body;
    checkCurrencyCode(currency);
    const terms = { currency, prices_include_tax, on_date };
    const lines = await resolveLines(ctx, body, rows, terms);
    return {
      data: {
        object: 'resolved_prices' as const,
        id: ctx.company.company_id,
        lines: lines.map((line, index) => presentLine(line, index, terms)),
      },
    };
  },
});
