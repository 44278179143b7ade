/** What a page shows of a browser. */
export interface DescribedAgent {
  /** Such as `Firefox on Linux`. */
  readonly name: string
  readonly kind: 'phone' | 'computer' | 'program'
}

// In this order: browsers name those they are like as well.
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

/** A browser in words, from what it says of itself. That is a hint for its owner and no proof. */
export function describeAgent(agent: string): DescribedAgent {
  const browser = nameIn(browsers, agent)
  const system = nameIn(systems, agent)
  if (browser === null) return { name: program(agent), kind: 'program' }
  if (system === null) return { name: browser, kind: 'computer' }
  return { name: `${browser} on ${system}`, kind: phones.has(system) ? 'phone' : 'computer' }
}

function nameIn(names: typeof browsers, agent: string): string | null {
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? null
}

// Programs begin with their name: `curl/8.5.0`.
function program(agent: string): string {
  return /^[\w.-]{1,40}/.exec(agent)?.[0] ?? 'Unknown browser'
}
