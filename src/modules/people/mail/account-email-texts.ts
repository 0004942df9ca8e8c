/** What messages about accounts say, in both languages. */
import { html } from '../../../kernel/html.ts';
import type { AccountChange } from './account-emails.ts';
import type { Role } from '../rules/roles.ts';
import type { Language } from '../users.store.ts';

/** The content of a message, with what is known only when it is sent: the links, and whether the address is somebody's. */
export type AccountMessage =
  | { kind: 'forgotten'; link: string }
  | { kind: 'sign_up'; link: string }
  | { kind: 'has_account'; sign_in: string; forgotten: string }
  | { kind: 'invitation'; link: string; company_name: string; role: Role; invited_by: string }
  | { kind: 'changed'; change: AccountChange; at: string; account: string; applications: readonly string[] };

type Words = { subject: string; lines: readonly string[]; link?: { text: string; to: string } };

type WordsOf = (message: AccountMessage) => Words;

const spanish: WordsOf = (message) => {
  switch (message.kind) {
    case 'forgotten':
      return {
        subject: 'Cambie su contraseña de Folio',
        lines: [
          'Alguien ha pedido cambiar la contraseña de su cuenta de Folio.',
          'Si ha sido usted, abra este enlace antes de una hora. Sirve una vez.',
          'Si no ha sido usted, no haga nada: la contraseña sigue siendo la misma.',
        ],
        link: { text: 'Elegir una contraseña nueva', to: message.link },
      };
    case 'sign_up':
      return {
        subject: 'Confirme su dirección para usar Folio',
        lines: [
          'Alguien ha pedido una cuenta de Folio con esta dirección.',
          'Si ha sido usted, abra este enlace antes de 24 horas. Sirve una vez.',
          'Si no ha sido usted, no haga nada: no se creará ninguna cuenta.',
        ],
        link: { text: 'Crear la cuenta', to: message.link },
      };
    case 'has_account':
      return {
        subject: 'Ya tiene una cuenta de Folio',
        lines: [
          'Alguien ha pedido una cuenta de Folio con esta dirección, que ya tiene una.',
          `Si no recuerda la contraseña, pida otra en ${message.forgotten}`,
          'Si no ha sido usted, no haga nada.',
        ],
        link: { text: 'Iniciar sesión', to: message.sign_in },
      };
    case 'invitation':
      return {
        subject: `Invitación a ${message.company_name} en Folio`,
        lines: [
          `${message.invited_by} le invita a ${message.company_name} como ${rolesEs[message.role]}.`,
          'Abra este enlace antes de siete días. Sirve una vez.',
          'Si no esperaba esta invitación, no haga nada.',
        ],
        link: { text: 'Aceptar la invitación', to: message.link },
      };
    case 'changed':
      return {
        subject: `Cambio en su cuenta de Folio: ${changesEs[message.change]}`,
        lines: [
          `En su cuenta de Folio ha cambiado esto: ${changesEs[message.change]}.`,
          `Fue el ${message.at} (UTC).`,
          'Si no ha sido usted, cambie la contraseña ahora, cierre las demás sesiones y retire las llaves de acceso, las aplicaciones y las claves que no conozca: siguen valiendo.',
          ...(message.applications.length > 0
            ? [
                `Aplicaciones que pueden actuar en su nombre: ${namedOf(message.applications, 'y otras')}. En su cuenta puede quitarles el acceso a todas a la vez.`,
              ]
            : []),
        ],
        link: { text: 'Ver mi cuenta', to: message.account },
      };
  }
};

const english: WordsOf = (message) => {
  switch (message.kind) {
    case 'forgotten':
      return {
        subject: 'Change your Folio password',
        lines: [
          'Somebody asked to change the password of your Folio account.',
          'If it was you, open this link within an hour. It works once.',
          'If it was not you, do nothing: the password stays the same.',
        ],
        link: { text: 'Choose a new password', to: message.link },
      };
    case 'sign_up':
      return {
        subject: 'Confirm your address to use Folio',
        lines: [
          'Somebody asked for a Folio account with this address.',
          'If it was you, open this link within 24 hours. It works once.',
          'If it was not you, do nothing: no account will be made.',
        ],
        link: { text: 'Create the account', to: message.link },
      };
    case 'has_account':
      return {
        subject: 'You have a Folio account already',
        lines: [
          'Somebody asked for a Folio account with this address, which has one already.',
          `If you do not remember the password, ask for another at ${message.forgotten}`,
          'If it was not you, do nothing.',
        ],
        link: { text: 'Sign in', to: message.sign_in },
      };
    case 'invitation':
      return {
        subject: `Invitation to ${message.company_name} on Folio`,
        lines: [
          `${message.invited_by} invites you to ${message.company_name} as ${message.role}.`,
          'Open this link within seven days. It works once.',
          'If you did not expect this invitation, do nothing.',
        ],
        link: { text: 'Accept the invitation', to: message.link },
      };
    case 'changed':
      return {
        subject: `A change in your Folio account: ${changesEn[message.change]}`,
        lines: [
          `This changed in your Folio account: ${changesEn[message.change]}.`,
          `It was on ${message.at} (UTC).`,
          'If it was not you, change the password now, end the other sessions, and remove the passkeys, applications and keys that you do not know: they stay valid.',
          ...(message.applications.length > 0
            ? [
                `Applications that may act in your name: ${namedOf(message.applications, 'and others')}. In your account you can take the access of all of them away at once.`,
              ]
            : []),
        ],
        link: { text: 'See my account', to: message.account },
      };
  }
};

const namesMax = 10;

/** Whoever made an application chose its name: it is a quotation. */
function namedOf(applications: readonly string[], others: string): string {
  const named = applications.slice(0, namesMax).map((name) => `«${name}»`);
  return [named.join(', '), ...(applications.length > namesMax ? [others] : [])].join(' ');
}

const rolesEs: Record<Role, string> = {
  owner: 'propietario',
  developer: 'desarrollador',
  accountant: 'contable',
  reader: 'lector',
};

const changesEs: Record<AccountChange, string> = {
  password: 'la contraseña',
  totp_added: 'una aplicación de códigos añadida',
  totp_removed: 'la aplicación de códigos retirada',
  passkey_added: 'una llave de acceso añadida',
  passkey_removed: 'una llave de acceso retirada',
  recovery_codes: 'códigos de recuperación nuevos',
  recovery_code_used: 'un código de recuperación usado',
  factors_reset: 'la verificación en dos pasos retirada por quien opera el servicio',
};

const changesEn: Record<AccountChange, string> = {
  password: 'the password',
  totp_added: 'an authenticator app added',
  totp_removed: 'the authenticator app removed',
  passkey_added: 'a passkey added',
  passkey_removed: 'a passkey removed',
  recovery_codes: 'new recovery codes',
  recovery_code_used: 'a recovery code used',
  factors_reset: 'two-step verification removed by the operator of the service',
};

/** A name that somebody chose gets no line break, because a subject is one line. */
const inLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

export function writeAccountEmail(
  message: AccountMessage,
  language: Language,
): { subject: string; text: string; html: string } {
  const words = (language === 'en' ? english : spanish)(message);
  const { link } = words;
  const lines = words.lines.map(inLine);
  const text = [...lines, ...(link ? [`${link.text}:\n${link.to}`] : [])].join('\n\n');
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head><body>
${lines.map((line) => html`<p>${line}</p>`)}
${link && html`<p><a href="${link.to}">${link.text}</a></p>`}
</body></html>
`;
  return { subject: inLine(words.subject), text: `${text}\n`, html: page.text };
}
