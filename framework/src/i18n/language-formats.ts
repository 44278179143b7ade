import { dateFormat } from './day.ts'

/** How a language writes numbers and times; each formatter is built when it is first needed. */
export class LanguageFormats {
  /** Applied to what comes from values. */
  readonly escape: (text: string) => string
  readonly #language: string
  readonly #timeZone: string
  readonly #plurals: Record<string, Intl.PluralRules> = {}
  readonly #numbers: Record<string, Intl.NumberFormat> = {}

  constructor(language: string, escape: (text: string) => string, timeZone: string = 'UTC') {
    this.#language = language
    this.#timeZone = timeZone
    this.escape = escape
  }

  plural(count: number, type: 'cardinal' | 'ordinal'): string {
    const rules = (this.#plurals[type] ??= new Intl.PluralRules(this.#language, { type }))
    return rules.select(count)
  }

  number(value: number | bigint, style: string): string {
    const format = (this.#numbers[style] ??= new Intl.NumberFormat(
      this.#language,
      numberStyle(style),
    ))
    return format.format(value)
  }

  moment(value: Date | number, kind: 'date' | 'time', style: string): string {
    const format = dateFormat(this.#language, {
      [`${kind}Style`]: style === '' ? 'medium' : style,
      timeZone: this.#timeZone,
    })
    return format.format(typeof value === 'number' ? value * 1000 : value)
  }
}

function numberStyle(style: string): Intl.NumberFormatOptions {
  if (style === 'percent') return { style: 'percent' }
  if (style === 'integer') return { maximumFractionDigits: 0 }
  if (style === '') return {}
  return { style: 'currency', currency: style.slice(style.indexOf('/') + 1) }
}
