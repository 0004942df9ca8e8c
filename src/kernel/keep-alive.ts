/**
 * How long a connection without a request stays open, as `Keep-Alive` tells its client: longer than the sixty seconds
 * for which proxies keep theirs, so that no request meets a connection that is being closed (docs/proxy.md).
 */
export const keepAliveMs = 72_000;
