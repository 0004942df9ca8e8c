/** An endpoint lists names, families (`invoice.*`) or `*`. */

export function isSubscribed(enabled_events: readonly string[], type: string): boolean {
  const family = `${type.slice(0, type.indexOf('.'))}.*`;
  return enabled_events.some((wanted) => wanted === '*' || wanted === type || wanted === family);
}

/** Keeps the array short, whatever turns an endpoint on and off. Even, so that the first one left enables it. */
const turnsMax = 128;

/**
 * An endpoint's turns are the versions of the company's settings at which it was enabled, disabled, enabled …
 * @param before the status until now: the version before may have changed it without a turn
 */
export function turnsAfter(
  turns: readonly number[],
  before: 'enabled' | 'disabled',
  settings_version: number,
): number[] {
  const is_told = tellsStatus(turns, before);
  const missing = is_told ? [] : [before === 'enabled' ? (turns.at(-1) ?? 0) : settings_version];
  const all = [...turns, ...missing, settings_version];
  const too_many = Math.max(0, all.length - turnsMax);
  return all.slice(too_many + (too_many % 2));
}

function tellsStatus(turns: readonly number[], status: 'enabled' | 'disabled'): boolean {
  return (turns.length % 2 === 1) === (status === 'enabled');
}

export type Subscription = {
  enabled_events: readonly string[];
  status: 'enabled' | 'disabled';
  disabled_at: Date | null;
  created_at: Date;
  turns: readonly number[];
};

/** `settings_version`: as the event's transaction read it; null of the version before. */
export type Happened = { type: string; created_at: Date; settings_version: number | null };

/**
 * An endpoint is for the events whose transactions saw it enabled. Those from before it was disabled wait until it is enabled.
 */
export function isSubscribedTo(endpoint: Subscription, event: Happened): boolean {
  return wasEnabled(endpoint, event) && isSubscribed(endpoint.enabled_events, event.type);
}

function wasEnabled(endpoint: Subscription, { settings_version, created_at }: Happened): boolean {
  const { turns, status, disabled_at } = endpoint;
  if (settings_version !== null && tellsStatus(turns, status) && turns.length > 0)
    return turns.filter((turn) => turn <= settings_version).length % 2 === 1;
  // The version before wrote one of them: only their clocks are known.
  if (created_at < endpoint.created_at) return false;
  return status === 'enabled' || (disabled_at !== null && created_at < disabled_at);
}
