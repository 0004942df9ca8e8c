/** The pages themselves. A form is sent to its own address, query and all. */
import type { Ports } from '../../kernel/ports.ts';
import { html, type Html } from '../../kernel/html.ts';
import { peoplePage, type PageLanguage, type PeoplePage } from './frame.ts';
import { accountOf, alert, button, type Faults, faultList, field, hidden } from './forms.ts';
import { type NoticeName, peopleWords, type PeopleWords } from './words.ts';

export type Memberships = Awaited<ReturnType<Ports['people']['listMemberships']>>;

/** Of whoever looks at it. */
export type Around = {
  language: PageLanguage;
  base: string;
  /** Link to the reference of the API. */
  reference: string;
  csrf: string;
  /** How a command of this service is begun in a terminal. */
  command: string;
};

const wordsOf = ({ language }: Pick<Around, 'language'>) => peopleWords[language];

function card(
  around: Pick<Around, 'language' | 'base'>,
  title: string,
  body: Html,
  { is_wide = false, asks_passkey = false } = {},
): PeoplePage {
  const main = html`<div class="card${is_wide ? ' wide-card' : ''}"><h1>${title}</h1>${body}</div>`;
  return peoplePage({
    language: around.language,
    base: around.base,
    title: `${title} · Folio`,
    main,
    asks_passkey,
  });
}

const form = ({ csrf }: Around, body: Html): Html =>
  html`<form method="post">${hidden('csrf', csrf)}${body}</form>`;

export function noticePage(around: Pick<Around, 'language' | 'base'>, name: NoticeName): PeoplePage {
  const { notices, sign_in } = wordsOf(around);
  const { title, text } = notices[name];
  // Whoever clicks twice, or opens an old message again, has what the link gave.
  const way_on =
    name === 'gone' &&
    html`<p class="actions"><a class="button" href="${around.base}/sign-in">${sign_in}</a></p>`;
  return card(around, title, html`<p>${text}</p>${way_on}`);
}

const oldPassword = (words: PeopleWords) =>
  field(words, 'password', { type: 'password', autocomplete: 'current-password' });

const newPassword = (words: PeopleWords, faults: Faults, label?: string) =>
  field(
    words,
    'password',
    { type: 'password', autocomplete: 'new-password', hint: words.password_hint },
    { faults, ...(label ? { label } : {}) },
  );

export function signInPage(
  around: Around,
  {
    email,
    refusal,
    told,
    return_to,
    options,
    offers,
  }: {
    email?: string;
    refusal?: string;
    told?: string | undefined;
    return_to?: string | undefined;
    options: string | null;
    offers: { mail: boolean; sign_up: boolean };
  },
): PeoplePage {
  const words = wordsOf(around);
  const fields = html`${hidden('return_to', return_to)}
${field(words, 'email', { type: 'email', autocomplete: 'username' }, { typed: email ?? '' })}
${oldPassword(words)}
${button(words.sign_in)}`;
  const above = html`${told && html`<p class="told" role="status">${told}</p>`}${refusal && alert(refusal)}`;
  return card(
    around,
    words.sign_in,
    html`${above}${form(around, fields)}
${passkeyForm(around, words.sign_in_passkey, options, { action: '/sign-in/passkey', return_to })}
${offers.mail ? html`<p><a href="${around.base}/sign-in/forgot">${words.ask.forgotten.title}</a></p>` : html`<p class="hint">${words.forgotten}</p>`}
${offers.sign_up && html`<p><a href="${around.base}/sign-up">${words.ask.sign_up.title}</a></p>`}`,
    { asks_passkey: options !== null },
  );
}

/** Hidden until the script finds that the browser knows passkeys. */
function passkeyForm(
  around: Around,
  text: string,
  options: string | null,
  { action, ...along }: { action?: string; return_to?: string | undefined; proved_at?: string },
): Html | null {
  if (options === null) return null;
  const words = wordsOf(around);
  const to = action === undefined ? '' : html` action="${around.base}${action}"`;
  return html`<form method="post"${to} data-passkey="${options}" hidden>${hidden('csrf', around.csrf)}${hidden('return_to', along.return_to)}${hidden('proved_at', along.proved_at)}
<input type="hidden" name="response" value="">
<div class="refusal" role="alert" hidden><p>${words.no_passkey}</p></div>
<div class="actions"><button class="button plain" type="submit">${text}</button></div></form>`;
}

const codeField = (words: PeopleWords) =>
  field(words, 'code', { type: 'text', autocomplete: 'one-time-code', hint: words.code_hint });

export function secondFactorPage(
  around: Around,
  { refusal, options }: { refusal?: string | undefined; options: string | null },
): PeoplePage {
  const words = wordsOf(around);
  return card(
    around,
    words.second_factor,
    html`${refusal && alert(refusal)}${form(around, html`${codeField(words)}${button(words.go_on)}`)}
${passkeyForm(around, words.use_passkey, options, {})}
<p><a href="${around.base}/sign-in">${words.other_account}</a></p>`,
    { asks_passkey: options !== null },
  );
}

/** Asks for an address that a message goes to. */
export function askPage(
  around: Around,
  kind: 'forgotten' | 'sign_up',
  { email, refusal }: { email?: string; refusal?: string },
): PeoplePage {
  const words = wordsOf(around);
  const { title, text } = words.ask[kind];
  const fields = html`${field(words, 'email', { type: 'email', autocomplete: 'username' }, { typed: email ?? '' })}
${button(words.send)}`;
  const back = html`<p><a href="${around.base}/sign-in">${words.sign_in}</a></p>`;
  return card(around, title, html`<p>${text}</p>${refusal && alert(refusal)}${form(around, fields)}${back}`);
}

export function signUpPage(
  around: Around,
  {
    email,
    typed,
    faults,
  }: { email: string; typed?: { name: string; company_name: string; tax_id: string }; faults: Faults },
): PeoplePage {
  const words = wordsOf(around);
  const put = (name: 'name' | 'company_name' | 'tax_id') => ({ typed: typed?.[name] ?? '', faults });
  const fields = html`${field(words, 'name', { type: 'text', autocomplete: 'name' }, put('name'))}
${accountOf(email)}
${newPassword(words, faults)}
<fieldset><legend>${words.fields.company}</legend>
${field(words, 'company_name', { type: 'text', autocomplete: 'organization' }, put('company_name'))}
${field(words, 'tax_id', { type: 'text', autocomplete: 'off' }, put('tax_id'))}
</fieldset>
${button(words.create)}`;
  const address = html`<p>${words.fields.email}: <strong>${email}</strong></p>`;
  return card(
    around,
    words.ask.sign_up.title,
    html`${address}${faultList(words, faults)}${form(around, fields)}`,
  );
}

export function confirmPage(
  around: Around,
  {
    name,
    email,
    refusal,
    return_to,
    proved_at,
    asks_code,
    options,
  }: {
    name: string;
    email: string;
    refusal?: string;
    return_to?: string | undefined;
    /** When the session was last proved. */
    proved_at: string;
    asks_code: boolean;
    options: string | null;
  },
): PeoplePage {
  const words = wordsOf(around);
  return card(
    around,
    words.confirm,
    html`<p>${words.signed_in_as(name)}. ${words.confirm_text}</p>${refusal && alert(refusal)}
${form(around, html`${hidden('return_to', return_to)}${hidden('proved_at', proved_at)}${accountOf(email)}${oldPassword(words)}${asks_code && codeField(words)}${button(words.go_on)}`)}
${passkeyForm(around, words.use_passkey, options, { return_to, proved_at })}`,
    { asks_passkey: options !== null },
  );
}

export type SetupTyped = {
  name: string;
  email: string;
  company: string;
  company_name: string;
  tax_id: string;
};

export function setupPage(
  around: Around,
  companies: readonly { company_id: string; name: string | null }[],
  { typed, faults }: { typed?: SetupTyped; faults: Faults },
): PeoplePage {
  const words = wordsOf(around);
  const put = (name: keyof SetupTyped) => ({ typed: typed?.[name] ?? '', faults });
  const choice = html`<div class="field"><label for="company">${words.fields.company}</label>
<select id="company" name="company"><option value="new">${words.new_company}</option>${companies.map(
    ({ company_id, name }) =>
      html`<option value="${company_id}"${typed?.company === company_id && html` selected`}>${name ?? company_id}</option>`,
  )}</select></div>`;
  const optional = companies.length > 0;
  const fields = html`${field(words, 'name', { type: 'text', autocomplete: 'name' }, put('name'))}
${field(words, 'email', { type: 'email', autocomplete: 'username' }, put('email'))}
${newPassword(words, faults)}
<fieldset><legend>${words.fields.company}</legend>
${optional ? choice : hidden('company', 'new')}
${optional && html`<p class="hint">${words.new_company_hint}</p>`}
${field(words, 'company_name', { type: 'text', autocomplete: 'organization', is_needed: !optional }, put('company_name'))}
${field(words, 'tax_id', { type: 'text', autocomplete: 'off', is_needed: !optional }, put('tax_id'))}
</fieldset>
${button(words.create)}`;
  return card(
    around,
    words.setup,
    html`<p>${words.setup_text}</p>${faultList(words, faults)}${form(around, fields)}`,
  );
}

export function invitationPage(
  around: Around,
  { company, role, email }: { company: string; role: keyof PeopleWords['roles']; email: string },
  given: {
    name?: string;
    faults: Faults;
    return_to: string;
    /** Whose session it is, if it is not that of the address. */
    signed_in: string | undefined;
  },
): PeoplePage {
  const words = wordsOf(around);
  const { name, faults } = given;
  const fields = html`${field(words, 'name', { type: 'text', autocomplete: 'name' }, { typed: name ?? '', faults })}
${accountOf(email)}
${newPassword(words, faults)}
${button(words.join)}`;
  const text = html`<p>${words.invitation_text(company, words.roles[role])}</p><p>${words.fields.email}: <strong>${email}</strong></p>`;
  return card(
    around,
    words.invitation,
    html`${text}${faultList(words, faults)}${form(around, fields)}${otherAccount(around, given)}`,
  );
}

/** The page for signing in leads whoever is signed in straight back, so they sign out on the way. */
function otherAccount(
  around: Around,
  { signed_in, return_to }: { signed_in: string | undefined; return_to: string },
): Html {
  const words = wordsOf(around);
  if (signed_in === undefined) {
    const sign_in = `${around.base}/sign-in?return_to=${encodeURIComponent(return_to)}`;
    return html`<p class="hint">${words.have_account} <a href="${sign_in}">${words.sign_in}</a></p>`;
  }
  const fields = html`${hidden('return_to', return_to)}<div class="actions"><button class="button plain" type="submit">${words.other_account_in}</button></div>`;
  return html`<p class="hint">${words.other_session(signed_in)}</p>${signOutForm(around, fields)}`;
}

const signOutForm = ({ base, csrf }: Pick<Around, 'base' | 'csrf'>, body: Html): Html =>
  html`<form method="post" action="${base}/sign-out">${hidden('csrf', csrf)}${body}</form>`;

/** For somebody who is signed in with the address. */
export function joinPage(
  around: Around,
  { company, role }: { company: string; role: keyof PeopleWords['roles'] },
): PeoplePage {
  const words = wordsOf(around);
  const text = html`<p>${words.invitation_text(company, words.roles[role])}</p>`;
  return card(around, words.invitation, html`${text}${form(around, button(words.join))}`);
}

export function resetPage(around: Around, email: string, faults: Faults): PeoplePage {
  const words = wordsOf(around);
  const fields = html`${accountOf(email)}${newPassword(words, faults, words.new_password)}${button(words.save)}`;
  return card(
    around,
    words.reset,
    html`<p>${words.reset_text}</p>${faultList(words, faults)}${form(around, fields)}`,
  );
}

const keyCommand = ({ command }: Pick<Around, 'command'>, company_id: string) =>
  `${command} key create --company ${company_id}`;

const toPanel = (around: Pick<Around, 'language' | 'base'>, path = '') =>
  html`<p class="actions"><a class="button" href="${around.base}/dashboard${path}">${wordsOf(around).to_panel}</a></p>`;

/** Where the dashboard shows how a company's first key is made. */
export const firstKeyPath = (company_id: string) => `/${company_id}/keys/new?first=1`;

/** The account of who is signed in, for a browser without script. */
export function accountPage(around: Around, name: string, memberships: Memberships): PeoplePage {
  const words = wordsOf(around);
  const [first] = memberships;
  const companies = first
    ? html`<ul>${memberships.map(
        ({ company, role }) =>
          html`<li><strong>${company.name ?? company.company_id}</strong> (${words.roles[role]})<br><code>${company.company_id}</code></li>`,
      )}</ul>`
    : html`<p>${words.no_companies}</p>`;
  const sign_out = signOutForm(around, button(words.sign_out));
  return card(
    around,
    words.signed_in_as(name),
    html`<h2>${words.your_companies}</h2>${companies}${toPanel(around)}<h2>${words.what_now}</h2>
<p><a href="${around.reference}">${words.reference}</a></p>
${first && html`<p>${words.more_keys}</p><pre>${keyCommand(around, first.company.company_id)}</pre>`}${sign_out}`,
  );
}

/** A new company and its keys, shown this once. */
export function readyPage(
  around: Pick<Around, 'language' | 'base' | 'reference' | 'command'>,
  {
    name,
    company_id,
    keys,
    public_url,
  }: { name: string; company_id: string; keys: { live: string; test: string }; public_url: string },
): PeoplePage {
  const words = wordsOf(around);
  const shown = html`<p>${words.keys_once}</p><h2>${words.live_key}</h2><pre>${keys.live}</pre><h2>${words.test_key}</h2><pre>${keys.test}</pre>
<p>${words.first_call}</p><pre>curl ${public_url}/v1/account -H "Authorization: Bearer ${keys.test}"</pre>`;
  return card(
    around,
    words.ready(name),
    html`${shown}${toPanel(around, firstKeyPath(company_id))}<p>${words.more_keys}</p><pre>${keyCommand(around, company_id)}</pre>
<p><a href="${around.reference}">${words.reference}</a></p>`,
    { is_wide: true },
  );
}
