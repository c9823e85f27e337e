import { strings } from "../strings";

/** By what it says of itself; the first that fits, since most also name the others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\bChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** What a person would call a browser, from its user agent. */
export function browserName(client: string): string {
  const find = (table: typeof BROWSERS) => table.find(([sign]) => sign.test(client))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser && system) return strings.share.sessions.browserOn(browser, system);
  return browser ?? (client.slice(0, 40) || strings.share.sessions.unknown);
}
