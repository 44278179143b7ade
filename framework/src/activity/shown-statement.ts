import { maskSource, maskText } from '../base/mask-text.ts'
import { StepKinds } from './step.ts'
import type { Crumb } from './activity.ts'

const maxLength = 1_000

// Comments, texts, quoted names, numbers: whatever begins first, so that a quote inside another part is
// only a character. Parts that never end go to the end. `$1` is a placeholder.
const parts =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\$(\w*)\$[^]*?(?:\$\1\$|$)|(?<![\w$:@.])\d[\w.]*/g
// The end of every LIKE of ours, no text of anybody's.
const likeEscape = /(?<=\bESCAPE )'\\{1,2}'/gi
const nameInQuotes = /^"\w+"$/

/**
 * A statement for logs, spans and pages: `?` in place of the texts and numbers that its author wrote into
 * it, on one line, at most 1,000 characters. Bound values were never part of it.
 */
export function shownStatement(text: string): string {
  // Cut first: a list of keys can have a megabyte of placeholders.
  const cut = text.length > 2 * maxLength ? text.slice(0, 2 * maxLength) : text
  const plain = replaceValues(cut, { text: '?', number: () => '?' })
  const shown = maskSource(plain.replaceAll(/\s+/g, ' ').trim())
  return shown.length > maxLength || cut !== text ? `${shown.slice(0, maxLength)}…` : shown
}

/** A statement without the texts that its author wrote into it, which a database can still plan. */
export function plannableStatement(text: string): string {
  return maskSource(replaceValues(text, { text: "'?'", number: (digits) => digits }))
}

function replaceValues(
  sql: string,
  to: { readonly text: string; readonly number: (digits: string) => string },
): string {
  const isText = textTest(sql)
  return withoutDoubt(sql.replaceAll(likeEscape, to.text), isText).replaceAll(
    parts,
    (part: string) => {
      if (isText(part)) return to.text
      if (/^["`]/.test(part)) return part
      return /^\d/.test(part) ? to.number(part) : ' '
    },
  )
}

/** Which parts are texts: double quotes are around names, unless those are in backticks. */
function textTest(sql: string): (part: string) => boolean {
  const namesInBackticks = sql.includes('`')
  return (part) =>
    /^['$]/.test(part) || (part.startsWith('"') && (namesInBackticks || !nameInQuotes.test(part)))
}

/** Whether a backslash escapes a quote depends on the database: then nobody knows where a text ends. */
function withoutDoubt(sql: string, isText: (part: string) => boolean): string {
  if (!sql.includes('\\')) return sql
  const text = [...sql.matchAll(parts)].find(([part]) => isText(part))
  return text === undefined ? sql : `${sql.slice(0, text.index)}? …`
}

/** The text of a step for logs and pages. */
export function shownText({ kind, text }: Pick<Crumb, 'kind' | 'text'>): string {
  return kind === StepKinds.Sql ? shownStatement(text) : maskText(text)
}
