/** A browser as pages show it. */
export interface DescribedAgent {
  /** For example `Firefox on Linux`. */
  readonly name: string
  readonly kind: 'phone' | 'computer' | 'program'
}

// Order matters: browsers also name the ones they are compatible with.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const phones = new Set(['iPhone', 'iPad', 'Android'])

/** Describes a browser by its User-Agent header, which anybody can fake: a hint for its owner, not proof. */
export function describeAgent(agent: string): DescribedAgent {
  const browser = nameIn(browsers, agent)
  const system = nameIn(systems, agent)
  if (browser === null) return { name: programName(agent), kind: 'program' }
  if (system === null) return { name: browser, kind: 'computer' }
  return { name: `${browser} on ${system}`, kind: phones.has(system) ? 'phone' : 'computer' }
}

function nameIn(names: typeof browsers, agent: string): string | null {
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? null
}

// The header of a program starts with its name: `curl/8.5.0`.
function programName(agent: string): string {
  return /^[\w.-]{1,40}/.exec(agent)?.[0] ?? 'Unknown browser'
}
