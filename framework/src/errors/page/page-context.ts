import { isSecretKey } from '../../base/is-secret-key.ts'
import { REDACTED, maskText } from '../../base/mask-text.ts'
import { redact } from '../../base/redact.ts'
import { cut, html } from '../reports/page-text.ts'

/** Sections by title. A plain object becomes a table; any other value a row of "Context". */
export type PageContext = Readonly<Record<string, unknown>>

/** A table that is safe to show: secrets are redacted and sizes are bounded. */
export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

/** A line of a table. */
export interface Row {
  readonly name: string
  readonly value: string
}

const maxSections = 40
const maxCharacters = 200_000
const maxValueLength = 2_000
const maxNameLength = 200
const maxInlineLength = 80

/** The sections of a context. Under a secret title all values are redacted, names are kept. */
export function sectionsOf(context: PageContext): readonly Section[] {
  const sections: Section[] = []
  const loose: Row[] = []
  let left = maxCharacters
  const rowOf = (name: string, value: unknown): Row => {
    const text = left > 0 ? cut(textOf(value), maxValueLength) : '[too large]'
    left -= name.length + text.length
    return { name: cut(maskText(name), maxNameLength), value: text }
  }
  for (const [key, value] of entriesOf(context)) {
    const shown = redact(value)
    const secret = isSecretKey(key)
    if (!isRecord(value) || !isRecord(shown)) loose.push(rowOf(key, secret ? REDACTED : shown))
    else {
      const rows = Object.entries(shown).map(([name, item]) =>
        rowOf(name, secret ? REDACTED : item),
      )
      sections.push({ title: cut(maskText(key), maxNameLength), rows })
    }
  }
  return loose.length === 0 ? sections : [...sections, { title: 'Context', rows: loose }]
}

function entriesOf(context: PageContext): [string, unknown][] {
  try {
    const keys = Object.keys(context).slice(0, maxSections)
    return keys.map((key) => [key, valueOf(context, key)])
  } catch {
    // A proxy may throw; the page is still worth showing without a context.
    return []
  }
}

function valueOf(context: PageContext, key: string): unknown {
  try {
    return context[key]
  } catch {
    return '[unreadable]'
  }
}

function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  const line = JSON.stringify(value)
  return line.length <= maxInlineLength ? line : JSON.stringify(value, null, 2)
}

/** Rows as an HTML table, the names as headers. */
export function table(rows: readonly Row[]): string {
  if (rows.length === 0) return '<p class="none">empty</p>'
  let body = ''
  for (const { name, value } of rows) {
    body += `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`
  }
  return `<table class="pairs">${body}</table>`
}
