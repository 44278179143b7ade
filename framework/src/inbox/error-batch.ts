import { detached } from '../base/encoding/detached.ts'
import { className } from '../errors/reports/class-name.ts'
import { messageOf } from '../base/to-error.ts'
import { maskText } from '../base/mask-text.ts'
import { isRecord, parsedRecord } from '../base/is-record.ts'
import { chainOf } from '../errors/stack/error-chain.ts'
import type { Activity } from '../activity/activity.ts'
import type { ErrorSample } from './error-sample.ts'
import { isSample } from './error-sample.ts'
import { ErrorLimits } from './error-group.ts'
import type { ErrorBatch } from './error-group.ts'
import type { Fingerprint } from './fingerprints.ts'

const maxClass = 200
const maxMessage = 500
const maxPlace = 300
const maxCode = 100
/** Also of the columns. */
export const maxMark = 190

/** One occurrence of an error. */
export interface Occurrence {
  readonly error: Error
  readonly nowMs: number
  /** More than one if reports before it were suppressed. */
  readonly count: number
  readonly activity: Activity | null
}

/** Adds up occurrences of one group in memory until they are stored. */
export class OpenBatch {
  readonly firstMs: number
  sample: ErrorSample | null = null
  readonly #group: Pick<
    ErrorBatch,
    'fingerprint' | 'class' | 'message' | 'code' | 'place' | 'release'
  >
  #lastMs: number
  #count = 0
  readonly #accounts = new Set<string>()
  readonly #titles = new Set<string>()

  constructor({ id, place }: Fingerprint, { error, nowMs }: Occurrence, release: string) {
    this.#group = {
      fingerprint: id,
      class: stored(maskText(className(error)), maxClass),
      message: stored(messageOf(error), maxMessage),
      code: codeOf(error),
      place: stored(place, maxPlace),
      release,
    }
    this.firstMs = nowMs
    this.#lastMs = nowMs
  }

  add({ nowMs, count, activity }: Occurrence): void {
    this.#count += count
    this.#lastMs = nowMs
    if (activity === null) return
    const { account, title } = activity
    addTo(this.#titles, title, ErrorLimits.titles)
    if (account !== null) addTo(this.#accounts, account, ErrorLimits.accounts)
  }

  /** What was added up so far. */
  close(): ErrorBatch {
    const { firstMs, sample } = this
    const [accounts, titles] = [[...this.#accounts], [...this.#titles]]
    const seen = { count: this.#count, firstMs, lastMs: this.#lastMs }
    return { ...this.#group, ...seen, accounts, titles, sample }
  }
}

/** A batch that was read back from JSON; null if it is none. */
export function parseBatch(text: string): ErrorBatch | null {
  const value: unknown = parsedRecord(text)
  return isBatch(value) ? value : null
}

/** A text that every database can store: cut, and without NUL and half surrogate pairs. */
export function stored(text: string, max: number): string {
  const shown = text.length > max ? detached(text.slice(0, max)) : text
  return shown.replaceAll('\0', '␀').toWellFormed()
}

function addTo(texts: Set<string>, text: string, max: number): void {
  if (texts.size < max && text !== '') texts.add(stored(text, maxMark))
}

/** The code of an error, or of the nearest of its causes that has one. */
function codeOf(thrown: Error): string | null {
  for (const { error } of chainOf(thrown)) {
    const code = ownCodeOf(error)
    if (code !== null) return code
  }
  return null
}

function ownCodeOf(error: Error): string | null {
  try {
    const code: unknown = Reflect.get(error, 'code')
    return typeof code === 'string' ? stored(maskText(code), maxCode) : null
  } catch {
    // A throwing getter.
    return null
  }
}

function isBatch(value: unknown): value is ErrorBatch {
  if (!isRecord(value)) return false
  const isText = (name: string): boolean => typeof value[name] === 'string'
  const isNumber = (name: string): boolean => Number.isFinite(value[name])
  const isList = (name: string): boolean => {
    const list = value[name]
    return Array.isArray(list) && list.every((one) => typeof one === 'string')
  }
  return (
    ['fingerprint', 'class', 'message', 'place', 'release'].every(isText) &&
    ['count', 'firstMs', 'lastMs'].every(isNumber) &&
    ['accounts', 'titles'].every(isList) &&
    (value['code'] === null || isText('code')) &&
    (value['sample'] === null || isSample(value['sample']))
  )
}
