/** Which company was open last, by id alone. */
const name = 'folio-company';

export function rememberCompany(id: string): void {
  try {
    localStorage.setItem(name, id);
  } catch {
    // A browser may forbid storage.
  }
}

export function recallCompany(): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
