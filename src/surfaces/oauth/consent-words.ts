/** The words of the consent page and of what is shown in its place. */
import type { GrantRefusal } from '../../domain/oauth/scopes.ts';

const es = {
  title: (client: string) => `Autorizar a ${client}`,
  heading: (client: string) => `${client} pide permiso para actuar en su nombre`,
  on_this_computer: 'una aplicación en este equipo',
  application: 'Aplicación',
  described_at: 'Descrita en',
  goes_to: 'El navegador volverá a',
  person: 'Usted ha entrado como',
  where: 'Dónde podrá actuar',
  company: 'Empresa',
  environment: 'Entorno',
  live: 'Real',
  test: 'De pruebas',
  unnamed: 'Empresa sin nombre',
  change: 'Ver los permisos de esta empresa y entorno',
  what: 'Qué podrá hacer',
  hint: 'Quite lo que no quiera permitir. Lo delicado no viene marcado.',
  sensitive: 'delicado',
  refusals: {
    role: 'su papel en la empresa no lo permite',
    plan: 'el plan de la empresa no lo incluye',
    environment: 'no se admite en el entorno de pruebas',
  } satisfies Record<GrantRefusal, string>,
  as_api: 'Llamará a la API de Folio.',
  as_mcp: 'Usará las herramientas de Folio para agentes.',
  revoke: 'Puede acabar con este permiso en cualquier momento.',
  allow: 'Permitir',
  deny: 'Rechazar',
  notices: {
    client: [
      'No se conoce la aplicación',
      'La dirección que ha abierto no es de ninguna aplicación registrada. No se le ha enviado nada.',
    ],
    document: [
      'No se puede leer la aplicación',
      'La aplicación se describe en una dirección que ahora no responde como debe. No se le ha enviado nada.',
    ],
    redirect: [
      'La dirección de vuelta no es de la aplicación',
      'Por seguridad no se sigue adelante: la dirección a la que volvería el navegador no es una de las que la aplicación registró.',
    ],
    expired: [
      'Esta página ya no vale',
      'Han pasado más de diez minutos, o su sesión es otra. Vuelva a la aplicación y empiece de nuevo.',
    ],
    foreign: ['Este formulario no viene de aquí', 'Vuelva a la aplicación y empiece de nuevo.'],
    answered: [
      'Ya ha respondido',
      'Este permiso ya se respondió. Vuelva a la aplicación. Si no sigue sola, empiece en ella otra vez y pulse una sola vez.',
    ],
    beyond: [
      'No se puede conceder',
      'Se ha pedido más de lo que usted puede conceder aquí. No se ha concedido nada.',
    ],
    too_many: [
      'Demasiadas autorizaciones',
      'Tiene ya 200 autorizaciones en esta empresa, todas de otras aplicaciones. Acabe en el panel, en «Aplicaciones», con alguna que no use y empiece de nuevo.',
    ],
    wait: ['Demasiadas peticiones', 'Espere un minuto y vuelva a intentarlo.'],
    no_company: [
      'Sin empresa',
      'Usted no tiene papel en ninguna empresa, así que no hay nada que autorizar.',
    ],
    unavailable: ['Ahora no es posible', 'Vuelva a intentarlo dentro de un momento.'],
  },
} as const;

type Text = string;
type Consent = {
  [K in keyof typeof es]: (typeof es)[K] extends (client: string) => string
    ? (client: string) => string
    : (typeof es)[K] extends string
      ? Text
      : { [N in keyof (typeof es)[K]]: (typeof es)[K][N] extends string ? Text : readonly [Text, Text] };
};

const en: Consent = {
  title: (client) => `Authorise ${client}`,
  heading: (client) => `${client} asks to act on your behalf`,
  on_this_computer: 'an application on this computer',
  application: 'Application',
  described_at: 'Described at',
  goes_to: 'The browser will return to',
  person: 'You are signed in as',
  where: 'Where it may act',
  company: 'Company',
  environment: 'Environment',
  live: 'Live',
  test: 'Test',
  unnamed: 'Company without a name',
  change: 'Show the permissions of this company and environment',
  what: 'What it may do',
  hint: 'Untick what you do not want to allow. What is sensitive is not ticked for you.',
  sensitive: 'sensitive',
  refusals: {
    role: 'your role in the company does not allow it',
    plan: 'the plan of the company does not include it',
    environment: 'not possible in the test environment',
  },
  as_api: 'It will call the API of Folio.',
  as_mcp: 'It will use the tools of Folio for agents.',
  revoke: 'You can end this permission at any time.',
  allow: 'Allow',
  deny: 'Deny',
  notices: {
    client: [
      'Unknown application',
      'The address you opened belongs to no registered application. Nothing was sent to it.',
    ],
    document: [
      'The application cannot be read',
      'The application is described at an address that does not answer as it should. Nothing was sent to it.',
    ],
    redirect: [
      'The return address is not the application’s',
      'For your safety this stops here: the address that the browser would return to is none of those that the application registered.',
    ],
    expired: [
      'This page is no longer valid',
      'More than ten minutes have passed, or your session is another one. Go back to the application and start again.',
    ],
    foreign: ['This form does not come from here', 'Go back to the application and start again.'],
    answered: [
      'You have answered already',
      'This request was answered. Go back to the application. If it does not go on by itself, start there again and press once.',
    ],
    beyond: ['This cannot be granted', 'More was asked than you can grant here. Nothing was granted.'],
    too_many: [
      'Too many authorisations',
      'You have 200 authorisations in this company, all of other applications. End one that you do not use in the dashboard, under “Applications”, and start again.',
    ],
    wait: ['Too many requests', 'Wait a minute and try again.'],
    no_company: ['No company', 'You have no role in any company, so there is nothing to authorise.'],
    unavailable: ['Not possible now', 'Try again in a moment.'],
  },
};

export const consentWords: Readonly<Record<'es' | 'en', Consent>> = { es, en };

export type NoticeName = keyof (typeof es)['notices'];
