// "Try it": sends a call of the reference with a test key. The key is in this variable, for as long as the page is open.
let key = '';
/** The service's own path at this host: what answers beside it must not be sent the key. */
const base = document.documentElement.dataset.base ?? '';

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function field(label, input) {
  return element('label', {}, element('span', { textContent: label }), input);
}

const textInput = (value) =>
  element('input', { type: 'text', value, autocomplete: 'off', spellcheck: false });

/** JSON in lines. A number keeps its digits where the browser can tell them. */
function inLines(text) {
  try {
    const exact = (_name, value, context) =>
      typeof value === 'number' && context?.source !== undefined && JSON.rawJSON
        ? JSON.rawJSON(context.source)
        : value;
    return JSON.stringify(JSON.parse(text, exact), null, 2);
  } catch {
    return text;
  }
}

/** In the version that the reader has chosen. */
function headersOf(retry_key, has_body) {
  const headers = { Authorization: `Bearer ${key}` };
  const version = new URLSearchParams(location.search).get('version');
  if (version !== null) headers['Service-Version'] = version;
  if (retry_key !== '') headers['Idempotency-Key'] = retry_key;
  if (has_body) headers['Content-Type'] = 'application/json';
  return headers;
}

async function textOf(answer) {
  const kind = answer.headers.get('content-type') ?? '';
  if (/json|xml|text/.test(kind)) return inLines(await answer.text());
  return `${(await answer.arrayBuffer()).byteLength} bytes, ${kind}`;
}

/**
 * Opens the form of a call.
 * @param call method, path, query, body and has_retry_key of the example
 * @param say chooses between Spanish and English
 */
export function tryCall(call, say) {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const key_input = textInput(key);
  key_input.className = 'secret';
  key_input.placeholder = 'svc_test_…';
  const path_inputs = names.map((name) => [name, textInput('')]);
  const query = textInput(call.query);
  const retry_key = textInput(call.method === 'GET' ? '' : crypto.randomUUID());
  const body =
    call.body === undefined
      ? null
      : element('textarea', { value: JSON.stringify(call.body, null, 2), rows: 12, spellcheck: false });
  const told = element('p', { className: 'told' });
  told.setAttribute('role', 'status');
  const answer = element('pre', { hidden: true, tabIndex: 0 });
  answer.setAttribute('aria-label', say('Respuesta', 'Answer'));
  const title = element('h2', {
    textContent: `${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`,
    id: 'try-title',
  });
  const close = element('button', { type: 'button', textContent: say('Cerrar', 'Close') });
  const form = element(
    'form',
    { noValidate: true },
    field(say('Clave de pruebas', 'Test key'), key_input),
    element('p', {
      className: 'told',
      textContent: say(
        'Se queda en la memoria de esta página y se pierde al salir de ella.',
        'It stays in the memory of this page and is lost when you leave it.',
      ),
    }),
    ...path_inputs.map(([name, input]) => field(name, input)),
    field(say('Consulta', 'Query'), query),
    ...(call.has_retry_key ? [field('Idempotency-Key', retry_key)] : []),
    ...(body ? [field(say('Cuerpo', 'Body'), body)] : []),
    element(
      'div',
      { className: 'asked' },
      element('button', { type: 'submit', textContent: say('Enviar', 'Send') }),
      close,
    ),
  );
  const dialog = element('dialog', { className: 'try' }, title, form, told, answer);
  dialog.setAttribute('aria-labelledby', title.id);

  async function send() {
    key = key_input.value.trim();
    answer.hidden = true;
    if (!key.startsWith('svc_test_')) {
      told.textContent = say(
        'Aquí solo valen claves de pruebas: empiezan por svc_test_.',
        'Only test keys work here: they begin with svc_test_.',
      );
      return key_input.focus();
    }
    const empty = path_inputs.find(([, input]) => input.value.trim() === '');
    if (empty) {
      told.textContent = say(`Falta ${empty[0]}.`, `${empty[0]} is missing.`);
      return empty[1].focus();
    }
    const values = Object.fromEntries(path_inputs.map(([name, input]) => [name, input.value.trim()]));
    const path = call.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name]));
    const asked = query.value.trim().replace(/^\?/, '');
    const headers = headersOf(call.has_retry_key ? retry_key.value.trim() : '', body !== null);
    told.textContent = say('Enviando…', 'Sending…');
    const began = performance.now();
    try {
      const given = await fetch(`${base}${path}${asked === '' ? '' : `?${asked}`}`, {
        method: call.method,
        headers,
        credentials: 'omit',
        cache: 'no-store',
        ...(body ? { body: body.value } : {}),
      });
      const text = await textOf(given);
      const took = Math.round(performance.now() - began);
      told.textContent = `${given.status} · ${took} ms · ${given.headers.get('x-request-id') ?? ''}`;
      answer.textContent = text;
      answer.hidden = false;
    } catch (error) {
      told.textContent = say('La petición no ha salido: ', 'The request did not go out: ') + error.message;
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    key = key_input.value.trim();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
