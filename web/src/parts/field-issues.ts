/** To which field of a form each issue of a refusal belongs. */

export type Issue = { param: string; message: string };

type Told = { by_field: Record<string, string>; rest: Issue[] };

/**
 * `allowed_ips.1` belongs to the field of the whole list, where no field is its own.
 * @param paths where a field's path differs from the service's `param`
 * @param shown paths of the fields that are on the page
 */
export function tellFields(
  issues: readonly Issue[],
  paths: Readonly<Record<string, string>>,
  shown: ReadonlySet<string>,
): Told {
  const told: Told = { by_field: {}, rest: [] };
  for (const issue of issues) {
    const own = paths[issue.param] ?? issue.param;
    const field = fieldOf(own, shown);
    // A field that comes later still tells its own.
    told.by_field[field ?? own] ??= issue.message;
    if (field === null) told.rest.push(issue);
  }
  return told;
}

function fieldOf(path: string, shown: ReadonlySet<string>): string | null {
  if (shown.has(path)) return path;
  const dot = path.lastIndexOf('.');
  return dot < 0 ? null : fieldOf(path.slice(0, dot), shown);
}
