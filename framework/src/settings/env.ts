import { variable } from './variable.ts'
import type { Variable, VariableKind, VariableOptions } from './variable.ts'

/** Options of a variable that holds a number. */
export interface NumberOptions extends VariableOptions<number> {
  readonly min?: number
  readonly max?: number
}

/** Options of a variable that holds a URL. */
export interface UrlOptions extends VariableOptions<string> {
  /** Accepted schemes, without the colon. @default any */
  readonly schemes?: readonly string[]
}

/** Describes environment variables. A variable without a default is required. */
export const env = {
  /** Any text, including the empty one. */
  string(name: string, options: VariableOptions<string>): Variable<string> {
    return variable(name, { expects: 'a text', acceptsEmpty: true, parse: (text) => text }, options)
  },

  /** A whole number in decimal digits. */
  integer(name: string, options: NumberOptions): Variable<number> {
    return bounded(name, 'a whole number', /^-?\d+$/, Number.isSafeInteger, options)
  },

  /** A decimal number. */
  number(name: string, options: NumberOptions): Variable<number> {
    return bounded(name, 'a number', /^-?\d+(\.\d+)?$/, Number.isFinite, options)
  },

  /** A duration in seconds, at least 0; fractions are allowed. */
  seconds(name: string, options: NumberOptions): Variable<number> {
    const limits = { min: 0, ...options }
    return bounded(name, 'a number of seconds', /^\d+(\.\d+)?$/, Number.isFinite, limits)
  },

  /** A TCP port; 0 lets the system choose a free one. */
  port(name: string, options: VariableOptions<number>): Variable<number> {
    const limits = { ...options, min: 0, max: 65_535 }
    return bounded(name, 'a port', /^\d+$/, Number.isSafeInteger, limits)
  },

  /** A switch: 1, true, yes, on or 0, false, no, off, in any letter case. */
  boolean(name: string, options: VariableOptions<boolean>): Variable<boolean> {
    const expects = 'on or off (1/0, true/false, yes/no, on/off)'
    return variable(name, { expects, parse: parseSwitch }, options)
  },

  /** An absolute URL, kept as written. */
  url(name: string, options: UrlOptions): Variable<string> {
    const { schemes = [] } = options
    const beginning = schemes.length === 0 ? '' : ` that begins with ${either(schemes, '://')}`
    return variable(
      name,
      { expects: `a URL${beginning}`, parse: (text) => parseUrl(text, schemes) },
      options,
    )
  },

  /** One of a few words. */
  choice<const Choices extends readonly string[]>(
    name: string,
    choices: Choices,
    options: VariableOptions<Choices[number]>,
  ): Variable<Choices[number]> {
    return variable(
      name,
      {
        expects: either(choices),
        parse: (text) => choices.find((choice) => choice === text),
      },
      options,
    )
  },

  /** Comma-separated texts, trimmed; empty ones are skipped. */
  list(name: string, options: VariableOptions<readonly string[]>): Variable<readonly string[]> {
    return variable(name, { expects: 'a list between commas', parse: parseList }, options)
  },

  /** Makes a variable optional: its value is null when it is not set. */
  optional<T>(required: Variable<T>): Variable<T | null> {
    return Object.freeze({ ...required, fallback: Object.freeze({ value: null }) })
  },

  /** A custom kind: `parse` returns undefined for a text it does not accept. */
  custom<T>(name: string, kind: VariableKind<T>, options: VariableOptions<T>): Variable<T> {
    return variable(name, kind, options)
  },
} as const
Object.freeze(env)

function bounded(
  name: string,
  noun: string,
  form: RegExp,
  fits: (value: number) => boolean,
  options: NumberOptions,
): Variable<number> {
  const { min = -Infinity, max = Infinity } = options
  const parse = (text: string): number | undefined => {
    const value = form.test(text) ? Number(text) : Number.NaN
    return fits(value) && value >= min && value <= max ? value : undefined
  }
  return variable(name, { expects: noun + range(min, max), parse }, options)
}

function range(min: number, max: number): string {
  if (min !== -Infinity && max !== Infinity) return ` from ${min} to ${max}`
  if (min !== -Infinity) return `, ${min} or more`
  return max === Infinity ? '' : `, at most ${max}`
}

function parseSwitch(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (['1', 'true', 'yes', 'on'].includes(word)) return true
  if (['0', 'false', 'no', 'off'].includes(word)) return false
  return undefined
}

function parseUrl(text: string, schemes: readonly string[]): string | undefined {
  const scheme = URL.parse(text)?.protocol.slice(0, -1)
  if (scheme === undefined) return undefined
  return schemes.length === 0 || schemes.includes(scheme) ? text : undefined
}

function parseList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return Object.freeze(items.filter((item) => item !== ''))
}

function either(words: readonly string[], ending = ''): string {
  const quoted = words.map((word) => `"${word}${ending}"`)
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}
