import { invalidArgument } from '../../../../base/errors.ts'

/** The text of a CREATE TABLE, divided so that one part can be replaced and the rest stays. */
export interface TableText {
  /** The definitions of columns and constraints, as written. */
  readonly parts: readonly TablePart[]
  /** What follows them, such as `WITHOUT ROWID`. */
  readonly ending: string
}

/** A column or constraint of a table. */
export interface TablePart {
  readonly text: string
  /** Its words and signs without comments; names as written. */
  readonly tokens: readonly string[]
  /** The name of the column; null for a constraint of the table. */
  readonly column: string | null
}

const tokenPattern =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w\x80-\uffff][\w$\x80-\uffff]*|\S/g

const constraintWords: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'UNIQUE',
  'CHECK',
  'FOREIGN',
])

/**
 * Divides a CREATE TABLE as SQLite stores it.
 * @throws InvalidArgumentException for a virtual table, or one made from a SELECT.
 */
export function parseTable(table: string, sql: string): TableText {
  const found: { text: string; start: number; end: number }[] = []
  let depth = 0
  let bodyStart = -1
  let partStart = -1
  for (const match of sql.matchAll(tokenPattern)) {
    const [token] = match
    const at = match.index
    if (token === '(') {
      depth += 1
      if (depth === 1 && bodyStart === -1) {
        bodyStart = at + 1
        partStart = bodyStart
      }
    } else if (token === ')') depth -= 1
    const isEnd =
      bodyStart !== -1 && ((token === ',' && depth === 1) || (token === ')' && depth === 0))
    if (!isEnd) continue
    found.push({ text: sql.slice(partStart, at), start: partStart, end: at })
    partStart = at + 1
    if (depth === 0) break
  }
  const last = found.at(-1)
  if (last === undefined || !/^\s*CREATE\s+TABLE\b/i.test(sql)) {
    throw invalidArgument(
      `${table} is a virtual table, which SQLite cannot alter; drop it and create it again`,
    )
  }
  return { parts: found.map(({ text }) => tablePart(text)), ending: sql.slice(last.end + 1) }
}

/** The conditions of the CHECK constraints in a CREATE TABLE. */
export function checksIn(sql: string): readonly string[] {
  const checks: string[] = []
  // Where each open parenthesis began a condition; null for any other.
  const open: (number | null)[] = []
  let previous = ''
  for (const match of sql.matchAll(tokenPattern)) {
    const [token] = match
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (token === '(') open.push(previous.toUpperCase() === 'CHECK' ? match.index + 1 : null)
    if (token === ')') {
      const start = open.pop() ?? null
      if (start !== null) checks.push(sql.slice(start, match.index))
    }
    previous = token
  }
  return checks
}

/** The name of a quoted or plain identifier. */
export function nameOf(token: string): string {
  const first = token.charAt(0)
  if (first === '[') return token.slice(1, -1)
  if (first !== '"' && first !== '`' && first !== "'") return token
  return token.slice(1, -1).replaceAll(first + first, first)
}

/** The words and signs of a text, without comments. */
export function tokensOf(text: string): readonly string[] {
  return [...text.matchAll(tokenPattern)]
    .map(([token]) => token)
    .filter((token) => !token.startsWith('--') && !token.startsWith('/*'))
}

/** The column that a `FOREIGN KEY (…)` constraint of a table is about; null if it is no such one. */
export function foreignKeyColumn({ tokens, column }: TablePart): string | null {
  if (column !== null) return null
  const at = tokens.findIndex((token) => token.toUpperCase() === 'FOREIGN')
  if (at === -1 || tokens[at + 2] !== '(' || tokens[at + 4] !== ')') return null
  return nameOf(tokens[at + 3] ?? '')
}

/** What follows `REFERENCES table (column)` and belongs to it, in upper case. */
const referenceEnd =
  /^(?:(?:ON (?:DELETE|UPDATE) (?:SET \S+|NO ACTION|\S+)|MATCH \S+|(?:NOT )?DEFERRABLE(?: INITIALLY \S+)?)(?: |$))*/

/** Divides the definition of a column: its `REFERENCES …` clause, which may be empty, and the rest. */
export function splitReference(tokens: readonly string[]): {
  readonly reference: readonly string[]
  readonly rest: readonly string[]
} {
  let depth = 0
  const at = tokens.findIndex((token) => {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    return depth === 0 && token.toUpperCase() === 'REFERENCES'
  })
  if (at === -1) return { reference: [], rest: tokens }
  const from = tokens[at - 2]?.toUpperCase() === 'CONSTRAINT' ? at - 2 : at
  let to = at + 2
  if (tokens[to] === '(') to = tokens.indexOf(')', to) + 1
  const [end = ''] = referenceEnd.exec(tokens.slice(to).join(' ').toUpperCase()) ?? []
  to += end.split(' ').filter((word) => word !== '').length
  return { reference: tokens.slice(from, to), rest: tokens.toSpliced(from, to - from) }
}

function tablePart(text: string): TablePart {
  const tokens = tokensOf(text)
  const [first = ''] = tokens
  const isConstraint = constraintWords.has(first.toUpperCase())
  return { text: text.trim(), tokens, column: isConstraint ? null : nameOf(first) }
}
