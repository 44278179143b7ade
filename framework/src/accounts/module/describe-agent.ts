import { defineLanguages } from '../../i18n/languages.ts'
import type { Translate } from '../../i18n/languages.ts'

/** A browser as pages show it. */
export interface DescribedAgent {
  /** For example `Firefox on Linux`, or `A program`: only names that this file knows. */
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
const none: Readonly<Record<string, string>> = {}
const english = defineLanguages({ default: 'en', messages: { en: none } }).in('en')

/**
 * Describes a browser by its User-Agent header, which anybody can fake: a hint for its owner, not proof.
 * Nothing of the header itself is shown: mail clients would turn a host name in it into a link.
 */
export function describeAgent(agent: string, t: Translate = english): DescribedAgent {
  const browser = nameIn(browsers, agent)
  const system = nameIn(systems, agent)
  if (browser === null) return { name: t('A program'), kind: 'program' }
  if (system === null) return { name: browser, kind: 'computer' }
  const name = t('{browser} on {system}', { browser, system })
  return { name, kind: phones.has(system) ? 'phone' : 'computer' }
}

function nameIn(names: typeof browsers, agent: string): string | null {
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? null
}
