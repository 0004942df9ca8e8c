/** Before anything is known of the reader: in both languages, without the theme. */
import { en } from './en.ts';
import { es } from './es.ts';

export function Unreachable() {
  return (
    <main className="folio-unreachable">
      <h1>Folio</h1>
      <p lang="es">{es.failure.no_answer}</p>
      <p lang="en">{en.failure.no_answer}</p>
      <button type="button" onClick={() => location.reload()}>
        {es.failure.retry} / {en.failure.retry}
      </button>
    </main>
  );
}
