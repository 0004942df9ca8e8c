/** An endpoint lists names, families (`invoice.*`) or `*`. */

export function isSubscribed(enabled_events: readonly string[], type: string): boolean {
  const family = `${type.slice(0, type.indexOf('.'))}.*`;
  return enabled_events.some((wanted) => wanted === '*' || wanted === type || wanted === family);
}

export type Subscription = {
  enabled_events: readonly string[];
  status: 'enabled' | 'disabled';
  disabled_at: Date | null;
  created_at: Date;
};

/**
 * Events older than the endpoint never reach it. Those from before it was disabled wait until it is enabled.
 */
export function isSubscribedTo(endpoint: Subscription, event: { type: string; created_at: Date }): boolean {
  if (event.created_at < endpoint.created_at) return false;
  if (endpoint.status === 'disabled' && !(endpoint.disabled_at && event.created_at < endpoint.disabled_at))
    return false;
  return isSubscribed(endpoint.enabled_events, event.type);
}
