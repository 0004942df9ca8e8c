/** One line at 21, 10 or 4 % with this total in euros, such as a magic one (docs/sandbox-magic-values.md). */
export function magicLine(total: number): { unit_price: number; tax_rate: number } {
  const wanted = Math.round(total * 100);
  for (const tax_rate of [21, 10, 4]) {
    const base = Math.round((wanted * 100) / (100 + tax_rate));
    if (base + Math.round((base * tax_rate) / 100) === wanted) return { unit_price: base / 100, tax_rate };
  }
  throw new Error(`No line comes to ${total}.`);
}
