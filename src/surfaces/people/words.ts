/** What the pages say, in both languages. A missing word fails the type check. */
import type { PageLanguage } from './frame.ts';

export type FieldName = 'code' | 'name' | 'email' | 'password' | 'company' | 'company_name' | 'tax_id';

export type FaultName =
  | 'name'
  | 'email'
  | 'email_taken'
  | 'password_too_short'
  | 'password_too_long'
  | 'password_repeated'
  | 'password_known'
  | 'company'
  | 'company_name'
  | 'tax_id'
  | 'tax_id_taken';

type Notice = { title: string; text: string };

const es = {
  sign_in: 'Iniciar sesión',
  sign_out: 'Cerrar sesión',
  confirm: 'Confirme que es usted',
  confirm_text: 'Para seguir, escriba otra vez su contraseña.',
  go_on: 'Continuar',
  signed_in_as: (name: string) => `Ha iniciado sesión como ${name}`,
  setup: 'Ponga en marcha Folio',
  setup_text: 'Será la primera persona de esta instalación y propietaria de su empresa.',
  invitation: 'Únase a su empresa',
  invitation_text: (company: string, role: string) => `Le han invitado a ${company} como ${role}.`,
  have_account: '¿Ya tiene una cuenta con esta dirección?',
  other_session: (name: string) =>
    `Ha iniciado sesión como ${name}, y la invitación es para otra dirección. Si esa dirección ya tiene una cuenta, entre con ella.`,
  other_account_in: 'Cerrar sesión y entrar con la otra cuenta',
  reset: 'Elija una contraseña nueva',
  reset_text:
    'Sus sesiones abiertas se cerrarán. Sus llaves de acceso, las aplicaciones que autorizó y las claves siguen valiendo: si alguien conocía su contraseña, revíselas en el panel.',
  reset_done:
    'La contraseña ha cambiado. Ya puede iniciar sesión con ella. Si alguien conocía la anterior, mire en «Mi cuenta» qué aplicaciones siguen teniendo acceso: allí puede quitárselo a todas a la vez.',
  second_factor: 'Su segundo paso',
  code_hint: 'De su aplicación de códigos, o uno de sus códigos de recuperación.',
  sign_in_passkey: 'Entrar con una llave de acceso',
  use_passkey: 'Usar una llave de acceso',
  no_passkey: 'El navegador no ha encontrado una llave de acceso, o se ha cancelado.',
  other_account: 'Entrar con otra cuenta',
  wrong_code: 'Eso no es correcto. Un código sirve una sola vez.',
  wrong_passkey: 'Esa llave de acceso no abre ninguna cuenta aquí.',
  wrong_proof: 'La contraseña o el código no son correctos. Un código sirve una sola vez.',
  ask: {
    forgotten: {
      title: 'He olvidado la contraseña',
      text: 'Escriba su dirección. Si tiene una cuenta, recibirá un enlace para elegir otra contraseña.',
    },
    sign_up: {
      title: 'Crear una cuenta',
      text: 'Escriba su dirección. Recibirá un enlace para confirmarla y crear su empresa.',
    },
  } satisfies Record<string, Notice>,
  send: 'Enviar',
  forgotten: 'Si no recuerda su contraseña, pida a quien administra el servicio un enlace para cambiarla.',
  create: 'Crear',
  join: 'Unirme',
  save: 'Guardar',
  fields: {
    code: 'Código',
    name: 'Su nombre',
    email: 'Correo electrónico',
    password: 'Contraseña',
    company: 'Empresa',
    company_name: 'Nombre o razón social',
    tax_id: 'NIF',
  } satisfies Record<FieldName, string>,
  new_password: 'Contraseña nueva',
  password_hint: 'De 12 a 256 caracteres.',
  new_company: 'Una empresa nueva',
  new_company_hint: 'Solo para una empresa nueva:',
  wrong: 'El correo o la contraseña no son correctos.',
  wrong_password: 'La contraseña no es correcta.',
  too_many: (minutes: number) =>
    minutes === 1
      ? 'Demasiados intentos. Vuelva a intentarlo dentro de un minuto.'
      : `Demasiados intentos. Vuelva a intentarlo dentro de ${minutes} minutos.`,
  faults_title: 'Revise estos campos',
  faults: {
    name: 'Escriba su nombre, de 1 a 120 caracteres.',
    email: 'Escriba una dirección de correo completa.',
    email_taken: 'Esa dirección ya tiene una cuenta.',
    password_too_short: 'La contraseña debe tener 12 caracteres o más.',
    password_too_long: 'La contraseña debe tener 256 caracteres como máximo.',
    password_repeated: 'La contraseña no puede ser un solo carácter repetido.',
    password_known: 'La contraseña no puede ser su dirección, su nombre ni el de la empresa.',
    company: 'Elija una empresa de la lista.',
    company_name: 'Escriba el nombre de la empresa, de 1 a 250 caracteres.',
    tax_id: 'Escriba un NIF español válido.',
    tax_id_taken:
      'Una empresa de la lista ya tiene este NIF: elíjala. Otra con el mismo la crea «folio company create --allow-duplicate».',
  } satisfies Record<FaultName, string>,
  roles: {
    owner: 'propietario',
    developer: 'desarrollador',
    accountant: 'contable',
    reader: 'lector',
  },
  your_companies: 'Sus empresas',
  no_companies: 'Todavía no tiene un papel en ninguna empresa.',
  what_now: 'Qué puede hacer ahora',
  to_panel: 'Abrir el panel',
  reference: 'Referencia de la API',
  more_keys: 'Quien administra el servicio crea más claves con esta orden:',
  ready: (company: string) => `${company} está lista`,
  keys_once: 'Estas son sus dos primeras claves. No se vuelven a mostrar: guárdelas ahora.',
  live_key: 'Clave real',
  test_key: 'Clave de pruebas',
  first_call: 'Pruébela:',
  notices: {
    forgotten_sent: {
      title: 'Revise su correo',
      text: 'Si esa dirección tiene una cuenta, le hemos enviado un enlace que sirve durante una hora. Si no llega en unos minutos, mire en el correo no deseado y espere un cuarto de hora antes de pedir otro.',
    },
    sign_up_sent: {
      title: 'Revise su correo',
      text: 'Le hemos enviado un mensaje a esa dirección. Si no llega en unos minutos, mire en el correo no deseado y espere un cuarto de hora antes de pedir otro.',
    },
    forgotten_closed: {
      title: 'Esta instalación no envía correos',
      text: 'Pida a quien administra el servicio un enlace para cambiar su contraseña.',
    },
    sign_up_closed: {
      title: 'Aquí solo se entra por invitación',
      text: 'Pida a un propietario de su empresa, o a quien administra el servicio, que le invite.',
    },
    gone: {
      title: 'Este enlace no abre nada',
      text: 'Ya se ha usado, ha caducado o no está completo. Si lo usó usted, inicie sesión; si no, pida otro a quien se lo dio.',
    },
    foreign: {
      title: 'No se ha hecho nada',
      text: 'El formulario no llegó desde una página de este servicio o llevaba demasiado tiempo abierto. Vuelva atrás, recargue la página y envíelo otra vez. El navegador debe admitir cookies.',
    },
    too_many: { title: 'Demasiados intentos', text: 'Espere un minuto y vuelva a intentarlo.' },
    busy: {
      title: 'Vuelva a intentarlo',
      text: 'El servicio no ha podido atender la petición ahora mismo. No se ha hecho nada: repítala dentro de unos segundos.',
    },
    unreadable: {
      title: 'No se ha podido leer',
      text: 'Lo que se envió no es el formulario de esta página.',
    },
    failed: {
      title: 'Algo ha fallado',
      text: 'El fallo ha quedado registrado. Vuelva a intentarlo más tarde.',
    },
  } satisfies Record<string, Notice>,
};

export type PeopleWords = typeof es;
export type NoticeName = keyof PeopleWords['notices'];

const en: PeopleWords = {
  sign_in: 'Sign in',
  sign_out: 'Sign out',
  confirm: 'Confirm that it is you',
  confirm_text: 'To go on, type your password again.',
  go_on: 'Continue',
  signed_in_as: (name) => `You are signed in as ${name}`,
  setup: 'Set up Folio',
  setup_text: 'You will be the first person of this installation, and owner of its company.',
  invitation: 'Join your company',
  invitation_text: (company, role) => `You are invited to ${company} as ${role}.`,
  have_account: 'Do you have an account with this address?',
  other_session: (name: string) =>
    `You are signed in as ${name}, and the invitation is for another address. If that address has an account, sign in with it.`,
  other_account_in: 'Sign out and sign in with the other account',
  reset: 'Choose a new password',
  reset_text:
    'Your open sessions will end. Your passkeys, the applications that you allowed and the keys stay valid: if somebody knew your password, look at them in the dashboard.',
  reset_done:
    'The password has changed. You can sign in with it now. If somebody knew the one before, look in “My account” which applications still have access: there you can take it away from all of them at once.',
  second_factor: 'Your second step',
  code_hint: 'From your authenticator app, or one of your recovery codes.',
  sign_in_passkey: 'Sign in with a passkey',
  use_passkey: 'Use a passkey',
  no_passkey: 'The browser found no passkey, or it was cancelled.',
  other_account: 'Sign in with another account',
  wrong_code: 'That is not right. A code works once.',
  wrong_passkey: 'That passkey opens no account here.',
  wrong_proof: 'The password or the code is not right. A code works once.',
  ask: {
    forgotten: {
      title: 'I forgot my password',
      text: 'Type your address. If it has an account, you get a link to choose another password.',
    },
    sign_up: {
      title: 'Create an account',
      text: 'Type your address. You get a link that confirms it and leads on to your company.',
    },
  },
  send: 'Send',
  forgotten: 'If you do not remember your password, ask whoever runs the service for a link to change it.',
  create: 'Create',
  join: 'Join',
  save: 'Save',
  fields: {
    code: 'Code',
    name: 'Your name',
    email: 'E-mail address',
    password: 'Password',
    company: 'Company',
    company_name: 'Registered name',
    tax_id: 'Spanish tax id (NIF)',
  },
  new_password: 'New password',
  password_hint: '12 to 256 characters.',
  new_company: 'A new company',
  new_company_hint: 'Only for a new company:',
  wrong: 'The address or the password is not right.',
  wrong_password: 'The password is not right.',
  too_many: (minutes) =>
    minutes === 1
      ? 'Too many tries. Try again in a minute.'
      : `Too many tries. Try again in ${minutes} minutes.`,
  faults_title: 'Check these fields',
  faults: {
    name: 'Type your name, 1 to 120 characters.',
    email: 'Type a whole e-mail address.',
    email_taken: 'That address has an account already.',
    password_too_short: 'The password needs 12 characters or more.',
    password_too_long: 'The password may have 256 characters at most.',
    password_repeated: 'The password cannot be one character repeated.',
    password_known: 'The password cannot be your address, your name or the name of the company.',
    company: 'Choose a company of the list.',
    company_name: 'Type the name of the company, 1 to 250 characters.',
    tax_id: 'Type a valid Spanish tax id.',
    tax_id_taken:
      'A company of the list has this tax id already: choose it. “folio company create --allow-duplicate” makes another with it.',
  },
  roles: { owner: 'owner', developer: 'developer', accountant: 'accountant', reader: 'reader' },
  your_companies: 'Your companies',
  no_companies: 'You do not have a role in any company yet.',
  what_now: 'What you can do now',
  to_panel: 'Open the dashboard',
  reference: 'API reference (in Spanish)',
  more_keys: 'Whoever runs the service makes more keys with this command:',
  ready: (company) => `${company} is ready`,
  keys_once: 'These are its first two keys. They are not shown again: keep them now.',
  live_key: 'Live key',
  test_key: 'Test key',
  first_call: 'Try it:',
  notices: {
    forgotten_sent: {
      title: 'Look at your mail',
      text: 'If that address has an account, we sent it a link that works for an hour. If nothing comes within minutes, look among unwanted mail, and wait a quarter of an hour before you ask again.',
    },
    sign_up_sent: {
      title: 'Look at your mail',
      text: 'We sent a message to that address. If nothing comes within minutes, look among unwanted mail, and wait a quarter of an hour before you ask again.',
    },
    forgotten_closed: {
      title: 'This installation sends no mail',
      text: 'Ask whoever runs the service for a link to change your password.',
    },
    sign_up_closed: {
      title: 'People come here by invitation',
      text: 'Ask an owner of your company, or whoever runs the service, to invite you.',
    },
    gone: {
      title: 'This link opens nothing',
      text: 'It was used, has expired or is not complete. If you used it yourself, sign in; if not, ask whoever gave it to you for another.',
    },
    foreign: {
      title: 'Nothing was done',
      text: 'The form did not come from a page of this service, or had been open for too long. Go back, load the page again and send it once more. The browser must take cookies.',
    },
    too_many: { title: 'Too many tries', text: 'Wait a minute and try again.' },
    busy: {
      title: 'Try again',
      text: 'The service could not do this right now. Nothing was done: send it again in a few seconds.',
    },
    unreadable: { title: 'This could not be read', text: 'What was sent is not the form of this page.' },
    failed: { title: 'Something failed', text: 'The fault was noted. Try again later.' },
  },
};

export const peopleWords: Readonly<Record<PageLanguage, PeopleWords>> = { es, en };
