import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { GetICUArgs } from '@schummar/icu-type-parser'
import { escapeHtml } from '../base/encoding/escape-html.ts'
import { RecentTexts } from '../base/encoding/recent-texts.ts'
import { ConfigurationError, InvalidArgumentException } from '../base/errors.ts'
import { day, isTimeZone, momentText } from './day.ts'
import type { Day } from './day.ts'
import { LanguageFormats } from './language-formats.ts'
import { parseMessage } from './message.ts'
import type { Message, MessageValues } from './message.ts'

/** The texts of a language, by key. */
export type Catalogue = Readonly<Record<string, string>>

/** What a message needs: nothing, or the values in its braces. */
type ValuesFor<Text extends string> = string extends Text
  ? [values?: MessageValues]
  : keyof ValuesIn<Text> extends never
    ? []
    : [values: ValuesIn<Text>]

type ValuesIn<Text extends string> = GetICUArgs<
  Text,
  {
    ICUArgument: string | number | bigint
    ICUNumberArgument: number | bigint
    ICUDateArgument: Date | number
  }
>

type Write<Texts extends Catalogue> = <const Key extends keyof Texts & string>(
  key: Key,
  ...values: ValuesFor<Texts[Key]>
) => string

/** Writes messages in one language, with times in one zone: `t('items.count', { count: 3 })`. */
export interface Translate<Texts extends Catalogue = Catalogue> extends Write<Texts> {
  /** The same as HTML: what is in the message itself is HTML, its values are escaped. */
  readonly html: Write<Texts>
  /** Its tag, such as `de`, for `<html lang>`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The zone of its times, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** A day in that zone: that of a `Date` or epoch seconds, or the one with a date such as `2026-03-29`. */
  readonly day: (moment: Date | number | string) => Day
  /** A `Date` or epoch seconds in that zone: `2026-03-29 12:00 UTC+2`. */
  readonly time: (moment: Date | number) => string
}

/** What a cookie is added to: a `Response`. */
interface CookieHolder {
  cookie(name: string, value: string, options: { readonly maxAge: number }): unknown
}

/** Options of `defineLanguages`. */
export interface LanguagesOptions<Default extends string, Texts> {
  /** The language whose texts say which keys and values there are. */
  readonly default: Default
  /**
   * The texts of each language. A text of the framework is its own key: `{ en: { 'Sign in': 'Log in' } }`
   * changes it.
   */
  readonly messages: Texts
  /** Whether `/de/items` is the German `/items`. @default false */
  readonly prefix?: boolean
}

/** The texts of a language, parsed. */
type Messages = ReadonlyMap<string, string | Message>

/** What `Languages` consists of besides the texts of a project. */
interface LanguagesParts {
  readonly fallback: string
  readonly prefix: boolean
  /** Of texts of the framework. */
  readonly folders?: readonly string[]
  readonly isMarked?: boolean
  /** The zone of a project; those that are made of one another share it. @default UTC */
  readonly place?: { timeZone: string }
}

/** Where the languages of a project differ. */
export interface MessageProblem {
  readonly language: string
  readonly key: string
  readonly why: string
}

/** The languages of a project, the result of `defineLanguages`. */
export class Languages<Texts extends Catalogue = Catalogue> {
  readonly default: string
  readonly names: readonly string[]
  readonly prefix: boolean
  readonly #own: ReadonlyMap<string, Messages>
  readonly #translators = new Map<string, Translator>()
  /** Browsers send few different headers, with every request. */
  readonly #preferred = new RecentTexts<string>(maxHeaders)
  readonly #place: { timeZone: string }
  readonly #parts: LanguagesParts

  /** Use `defineLanguages`. */
  constructor(own: ReadonlyMap<string, Messages>, parts: LanguagesParts) {
    const { place = { timeZone: 'UTC' } } = parts
    this.default = parts.fallback
    this.names = [...own.keys()]
    this.prefix = parts.prefix
    this.#own = own
    this.#place = place
    this.#parts = { ...parts, place }
  }

  /** Writes in the language of a request. */
  of(request: { readonly t: Translate }): Translate<Texts> {
    return request.t
  }

  /**
   * Writes in a language and a time zone, such as those of an account; in the default one and the zone of the project
   * for null and any other.
   */
  in(language: string | null, timeZone?: string | null): Translate<Texts> {
    const isKnown = typeof timeZone === 'string' && isTimeZone(timeZone)
    const isSpoken = language !== null && this.has(language)
    const translator = this.#translator(isSpoken ? language : this.default)
    return translator.in(isKnown ? timeZone : this.#place.timeZone)
  }

  /** Reads and parses what the framework says in every language, in a turn for each: before a request needs it. */
  async prepare(): Promise<void> {
    for (const name of this.names) {
      await setImmediate()
      this.in(name)
      await setImmediate()
      ownName(name)
    }
  }

  /** Of a language that there is. */
  #translator(name: string): Translator {
    const known = this.#translators.get(name)
    if (known !== undefined) return known
    const { fallback, folders = [], isMarked = false } = this.#parts
    // The texts of pt come before those of pt-BR, which may be few.
    const tags = [...new Set([name.split('-')[0] ?? name, name])]
    const ownOf = (tag: string): Messages => this.#own.get(tag) ?? new Map()
    const given = folders.flatMap((folder) => tags.map((tag) => readMessages(folder, tag)))
    const found = [ownOf(fallback), ...given, ...tags.map(ownOf)]
    const messages = new Map(found.flatMap((each) => each.entries().toArray()))
    const translator = new Translator(name, messages, isMarked)
    this.#translators.set(name, translator)
    return translator
  }

  /** Sets the zone of what is written without one, also by those that these were made of. */
  useTimeZone(timeZone: string): this {
    this.#place.timeZone = timeZone
    return this
  }

  /** Whether pages exist in this language. */
  has(language: string): boolean {
    return this.#own.has(language)
  }

  /** The languages for people to choose from, each by its own name: `Deutsch`. */
  get choices(): readonly { readonly language: string; readonly name: string }[] {
    return this.names.map((language) => ({ language, name: ownName(language) }))
  }

  /** Makes this the language of a visitor, in a cookie that lasts a year. Only for one that there is. */
  remember(response: CookieHolder, language: string): void {
    if (!this.has(language)) return
    response.cookie(cookieName, language, { maxAge: 31_536_000 })
  }

  /** The language that a visitor has chosen before. */
  remembered(cookies: { get(name: string): string | undefined }): string | undefined {
    return cookies.get(cookieName)
  }

  /** Whether there is a message with this key in any language, of the project or the framework. */
  knows(key: string): boolean {
    return this.names.some((name) => this.#translator(name).knows(key))
  }

  /** The language that is the first part of a path; null for none, and without `prefix`. */
  prefixOf(path: string): string | null {
    if (!this.prefix) return null
    const end = path.indexOf('/', 1)
    const first = path.slice(1, end === -1 ? path.length : end)
    return this.has(first) ? first : null
  }

  /** The language that an `Accept-Language` header prefers. */
  preferred(header: string | undefined): string {
    if (header === undefined) return this.default
    return this.#preferred.get(header) ?? this.#preferred.set(header, this.#preferredOf(header))
  }

  #preferredOf(header: string): string {
    const asked = header.slice(0, maxHeader).split(',').map(rangeOf)
    for (const { range } of asked.toSorted((one, other) => other.quality - one.quality)) {
      const found = this.names.find((name) => name.toLowerCase() === range)
      const [base = ''] = range.split('-')
      const near = found ?? this.names.find((name) => name.toLowerCase().split('-')[0] === base)
      if (near !== undefined) return near
    }
    return this.default
  }

  /** The same languages with the texts that parts of the framework have in these folders. */
  within(folders: readonly string[]): Languages {
    return new Languages(this.#own, { ...this.#parts, folders })
  }

  /** The same languages, whose texts stand between ⟦ and ⟧: what does not is in no catalogue. For tests. */
  marked(): Languages {
    return new Languages(this.#own, { ...this.#parts, isMarked: true })
  }

  /** What one language lacks of the default one, or has with other values. */
  problems(): readonly MessageProblem[] {
    const texts = [...(this.#own.get(this.default) ?? [])]
    return this.names.flatMap((language) =>
      texts.flatMap(([key, text]) => {
        const other = this.#own.get(language)?.get(key)
        if (other === undefined) return [{ language, key, why: 'is missing' }]
        const names = namesIn(text)
        const extra = [...namesIn(other)].find((name) => !names.has(name))
        return extra === undefined
          ? []
          : [{ language, key, why: `has {${extra}}, which '${this.default}' lacks` }]
      }),
    )
  }
}

/**
 * The languages of a project, typed by its default one: `defineLanguages({ default: 'en', messages: { en, de } })`.
 * Every message of the project is parsed here, once.
 * @throws ConfigurationError (E_MESSAGE) for a message or language that is invalid.
 */
export function defineLanguages<
  const Default extends keyof Texts & string,
  const Texts extends Readonly<Record<string, Catalogue>>,
>(options: LanguagesOptions<Default, Texts>): Languages<Texts[Default]> {
  const { default: fallback, messages, prefix = false } = options
  const own = Object.entries<Catalogue>(messages).map(([name, texts]) => {
    if (!tag.test(name)) throw invalidMessage(`"${name}" is not a language such as de or pt-BR`)
    return [name, parsed(name, texts)] as const
  })
  return new Languages(new Map(own), { fallback, prefix })
}

/** The English of the framework, for projects without languages. */
export function englishOnly(): Languages {
  return (only ??= defineLanguages({ default: 'en', messages: { en: {} } }))
}

let only: Languages | null = null

function ownName(language: string): string {
  const known = ownNames.get(language)
  if (known !== undefined) return known
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  ownNames.set(language, name)
  return name
}

/** To look up one takes milliseconds. */
const ownNames = new Map<string, string>()

/** The messages of one language, parsed. */
class Translator {
  readonly #language: string
  readonly #isMarked: boolean
  readonly #messages: Map<string, string | Message>
  /** By time zone. */
  readonly #written = new RecentTexts<Translate>(maxZones)

  constructor(language: string, messages: Map<string, string | Message>, isMarked: boolean) {
    this.#language = language
    this.#messages = messages
    this.#isMarked = isMarked
  }

  in(timeZone: string): Translate {
    return this.#written.get(timeZone) ?? this.#written.set(timeZone, this.#translate(timeZone))
  }

  #translate(timeZone: string): Translate {
    const language = this.#language
    const writer = (escape: (text: string) => string) => {
      const formats = new LanguageFormats(language, escape, timeZone)
      return (key: string, values?: MessageValues): string => {
        const text = this.#write(key, values, formats)
        return this.#isMarked ? `⟦${text}⟧` : text
      }
    }
    const { script = '' } = new Intl.Locale(language).maximize()
    return Object.assign(
      writer((text) => text),
      {
        html: writer(escapeHtml),
        language,
        direction: fromRightToLeft.has(script) ? 'rtl' : 'ltr',
        timeZone,
        day: (moment: Date | number | string) => day(moment, timeZone),
        time: (moment: Date | number) => momentText(moment, timeZone),
      } as const,
    )
  }

  knows(key: string): boolean {
    return this.#messages.has(key)
  }

  #write(key: string, values: MessageValues | undefined, formats: LanguageFormats): string {
    const message = this.#messages.get(key)
    if (typeof message === 'string') return message
    if (message !== undefined) return message.format(values ?? nothing, formats)
    // A text of the framework, or one that was translated before. Only what has values can be a message.
    if (values === undefined) return key
    const parsed = parseMessage(key)
    // Those that code has literally: no more are kept, whatever else comes as a key.
    if (this.#messages.size < maxMessages) this.#messages.set(key, parsed)
    return parsed.format(values, formats)
  }
}

const cookieName = 'language'
const nothing: MessageValues = Object.freeze({})
/** For messages without values. */
const plain = new LanguageFormats('en', (text) => text)
const tag = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/
const fromRightToLeft: ReadonlySet<string> = new Set(
  'Adlm Arab Hebr Nkoo Rohg Syrc Thaa'.split(' '),
)
const maxHeader = 1000
const maxHeaders = 500
const maxMessages = 10_000
/** Few of the hundreds are in use at once. */
const maxZones = 50

/** What a part of the framework says in a language; the English is in its code. */
function readMessages(folder: string, language: string): Messages {
  const file = join(folder, `${language}.json`)
  if (!existsSync(file)) return new Map()
  return parsed(language, Object(JSON.parse(readFileSync(file, 'utf8'))))
}

function parsed(language: string, texts: Catalogue): Messages {
  return new Map(Object.entries(texts).map(([key, text]) => [key, parsedText(language, key, text)]))
}

function parsedText(language: string, key: string, text: string): string | Message {
  // Most are plain, and shown without a second look.
  if (!/[{}]|''/.test(text)) return text
  try {
    const message = parseMessage(text)
    return message.names.size === 0 ? message.format(nothing, plain) : message
  } catch (error) {
    if (!(error instanceof InvalidArgumentException)) throw error
    throw invalidMessage(`'${key}' in '${language}' is no message: ${error.message}`)
  }
}

function namesIn(message: string | Message): ReadonlySet<string> {
  return typeof message === 'string' ? new Set() : message.names
}

function rangeOf(part: string): { readonly range: string; readonly quality: number } {
  const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { range, quality: quality > 0 ? quality : 0 }
}

function invalidMessage(reason: string): ConfigurationError {
  return new ConfigurationError('E_MESSAGE', `languages: ${reason}`)
}
