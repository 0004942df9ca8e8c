/** The browser and the system of a session, as people call them. */

/** The first that fits: most browsers also name those that they descend from. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * @param on such as "en"
 * @returns such as "Firefox 146 en Windows"; what no browser says of itself stays as it is
 */
export function browserName(user_agent: string, on: string): string {
  for (const [pattern, name] of browsers) {
    const [found, version] = pattern.exec(user_agent) ?? [];
    if (found === undefined) continue;
    const system = systems.find(([one]) => one.test(user_agent))?.[1];
    return system === undefined ? `${name} ${version}` : `${name} ${version} ${on} ${system}`;
  }
  return user_agent;
}
