/** What a person is asked, and the pages shown when there is nothing to ask. */
import { isLoopback, redirectPlace, redirectSource } from '../../domain/oauth/redirect-uris.ts';
import { groupWords, scopeWords } from '../../domain/oauth/scope-words.ts';
import { byGroup, dottedScope, isSensitive } from '../../domain/oauth/scopes.ts';
import { html, type Html } from '../../kernel/html.ts';
import type { Environment } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import { type PageLanguage, type PeoplePage, peoplePage } from '../people/frame.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { OAuthClient } from './client-authentication.ts';
import { consentWords, type NoticeName } from './consent-words.ts';

export type Offers = NonNullable<Awaited<ReturnType<Ports['oauth']['findOffers']>>>;
export type Memberships = Awaited<ReturnType<Ports['people']['listMemberships']>>;

export type ConsentView = {
  language: PageLanguage;
  base: string;
  client: OAuthClient;
  asked: AuthorizeRequest;
  person: string;
  memberships: Memberships;
  place: { company_id: string; environment: Environment };
  offers: Offers;
  /** Scopes whose box is not as the page first shows it. */
  changed: readonly string[];
  csrf: string;
  /** Sealed. */
  request: string;
};

export function consentPage(view: ConsentView): PeoplePage {
  const { language, base, client, asked, csrf, request } = view;
  const words = consentWords[language];
  const main = html`<div class="card wide-card">
<h1>${words.heading(client.name)}</h1>
${aboutClient(view)}
<form method="post" action="${base}/oauth/authorize">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="request" value="${request}">
${placeFields(view)}
<h2>${words.what}</h2>
<p>${asked.audience === 'v1' ? words.as_api : words.as_mcp} ${words.hint}</p>
${scopeFields(view)}
<p>${words.revoke}</p>
<div class="actions">
<button class="button" type="submit" name="decision" value="allow">${words.allow}</button>
<button class="button plain" type="submit" name="decision" value="deny">${words.deny}</button>
</div>
</form>
</div>`;
  return peoplePage({
    language,
    title: words.title(client.name),
    main,
    base,
    form_origins: [redirectSource(asked.redirect_uri)],
  });
}

function aboutClient({ language, client, asked, person }: ConsentView): Html {
  const words = consentWords[language];
  const place = isLoopback(asked.redirect_uri)
    ? `${redirectPlace(asked.redirect_uri)} (${words.on_this_computer})`
    : redirectPlace(asked.redirect_uri);
  const rows = [
    [words.application, client.name],
    ...(client.host === null ? [] : [[words.described_at, client.host]]),
    [words.goes_to, place],
    [words.person, person],
  ];
  return html`<dl class="rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function placeFields({ language, memberships, place }: ConsentView): Html {
  const words = consentWords[language];
  const option = (value: string, text: string, is_chosen: boolean) =>
    html`<option value="${value}"${is_chosen && html` selected`}>${text}</option>`;
  // By name, so that typing its first letters finds one of thousands.
  const named = memberships.map(({ company: { company_id, name, tax_id } }) => ({
    company_id,
    text: `${name ?? words.unnamed} (${tax_id})`,
  }));
  const { compare } = new Intl.Collator(language, { numeric: true });
  const companies = named
    .sort((a, b) => compare(a.text, b.text))
    .map(({ company_id, text }) => option(company_id, text, company_id === place.company_id));
  const environments = (['live', 'test'] as const).map((one) =>
    option(one, words[one], one === place.environment),
  );
  return html`<fieldset><legend>${words.where}</legend>
<div class="field"><label for="company">${words.company}</label><select id="company" name="company">${companies}</select></div>
<div class="field"><label for="environment">${words.environment}</label><select id="environment" name="environment">${environments}</select></div>
<div class="actions"><button class="button plain" type="submit">${words.change}</button></div>
</fieldset>`;
}

function scopeFields({ language, offers, changed }: ConsentView): Html[] {
  const words = consentWords[language];
  const refusals = new Map(offers.map(({ scope, refusal }) => [scope as string, refusal]));
  const groups = byGroup(offers.map(({ scope }) => scope));
  return [...groups].map(([group, entries]) => {
    const items = entries.map(({ scope }) => {
      const refusal = refusals.get(scope) ?? null;
      const is_sensitive = isSensitive(scope);
      const name = dottedScope(scope);
      const is_ticked = is_sensitive === changed.includes(scope);
      const state = refusal !== null ? html` disabled` : is_ticked ? html` checked` : html``;
      const told = refusal !== null ? words.refusals[refusal] : is_sensitive ? words.sensitive : null;
      return html`<li><label><input type="checkbox" name="scope" value="${name}"${state}> ${scopeWords[scope]?.[language]}</label>
<span class="hint"><code>${name}</code>${told === null ? null : html` · ${told}`}</span></li>`;
    });
    return html`<fieldset class="scopes"><legend>${groupWords.get(group)?.[language]}</legend><ul>${items}</ul></fieldset>`;
  });
}

export function noticePage(name: NoticeName, language: PageLanguage, base: string): PeoplePage {
  const [title, text] = consentWords[language].notices[name];
  const main = html`<div class="card"><h1>${title}</h1><p>${text}</p></div>`;
  return peoplePage({ language, title, main, base });
}
