/** The caller's part of a message about a document. */
import { EMAIL_ADDRESS_MAX } from '../../domain/email-address.ts';
import { Nullable, Shape, Text, Type } from '../../kernel/schema.ts';

const Addresses = (description: string) =>
  Type.Optional(Type.Array(Text(EMAIL_ADDRESS_MAX), { maxItems: 50, description }));

export const MessageInput = Shape({
  to: Addresses('Si se omite, los billing_emails del cliente o, si no tiene, su email'),
  cc: Addresses('Reciben copia'),
  subject: Type.Optional(Nullable(Text(200, { description: 'En lugar del asunto de la plantilla' }))),
  message: Type.Optional(
    Nullable(
      Text(10_000, {
        description: 'Texto sin formato, en lugar del de la plantilla; los datos y el enlace se mantienen',
      }),
    ),
  ),
  attach_pdf: Type.Optional(Type.Boolean({ description: 'true si se omite' })),
});
