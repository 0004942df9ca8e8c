/** What a model is told of the service before it sees a tool. */
export function instructionsOf({
  name,
  environment,
}: {
  name: string | null;
  environment: 'live' | 'test';
}): string {
  const is_test = environment === 'test';
  return [
    `Folio, facturación de ${name ?? 'la empresa'}. ${is_test ? 'Entorno de PRUEBAS: nada tiene efectos fiscales ni llega a nadie.' : 'Entorno REAL: lo que se emite tiene efectos fiscales.'}`,
    'Los documentos nacen como borrador, salvo que se pida emitir. Un borrador se modifica y se borra; lo emitido tiene número y ya no cambia: se rectifica o se anula.',
    'Antes de emitir, enviar, anular o borrar, diga a la persona qué documento es, de quién y su total, y espere su acuerdo.',
    'Pruebe con dry_run u options.dry_run donde exista: dice todos los motivos de rechazo y no guarda nada.',
    'Las fechas son AAAA-MM-DD en la zona de la empresa; los instantes llevan zona. Los filtros created_gte y created_lte acotan listas.',
    'Los importes son números decimales exactos, en euros si no se dice otra moneda. No calcule totales: los calcula el servicio.',
    'Busque clientes y productos antes de crearlos: los ids son UUID y nunca se inventan.',
    'En cada llamada que escribe ponga una idempotency_key nueva, y la misma si la repite: así no se hace dos veces.',
    'Un error dice code, param y un mensaje en español; errors lista todos los campos. Con 409 vuelva a leer; con 429 espere retry_after_seconds.',
    'Las listas van por páginas, y cada elemento viene entero, con sus líneas: pida pocos con limit y acote con filtros. Con has_more en true pida la siguiente con starting_after.',
  ].join('\n');
}
