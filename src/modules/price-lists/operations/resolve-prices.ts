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
    'Responde, sin guardar nada, el precio que tomaría cada línea en un documento que no lo dijera: de la tarifa pedida, si no la del cliente y si no la predeterminada. No cuenta si está archivada, no vale ese día o es de otra moneda: nunca se convierte. Entre los precios que valen ese día y para esa cantidad se toma el más preciso (variante y presentación, variante, presentación, producto), luego el de mayor min_quantity y luego el de valid_from más reciente. Si no hay ninguno, el propio del producto, que es en euros; en otra moneda la línea está unavailable, igual que si falta elegir variante, presentación u opción (reason_code). next_break dice desde qué cantidad cambia. Un precio con impuestos en un documento sin ellos, o al revés, se convierte con el tipo de la línea; sin ninguno se rechaza (missing_required_param). También se rechazan un id desconocido (parameter_invalid) y los packs de más de 500 componentes en total (business_rule_violation), como en un documento.',
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

  prefetch: (tx, company_id, { body }, loading) => readForResolving(tx, company_id, body, loading),

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
