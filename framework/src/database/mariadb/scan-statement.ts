/** What can be learned from the text of a statement without parsing it. */
export interface StatementTraits {
  /** Number of `?` placeholders. */
  readonly placeholders: number
  /** Whether it reads or changes rows, which makes it likely to be repeated. */
  readonly isAboutRows: boolean
}

const marks = /['"`?#]|--|\/\*/g
const aboutRows = /^[\s(]*(?:select|insert|update|delete|replace|with|values)\b/i

/** Reads the traits of a statement. */
export function scanStatement(sql: string): StatementTraits {
  return { placeholders: countPlaceholders(sql), isAboutRows: aboutRows.test(sql) }
}

function countPlaceholders(sql: string): number {
  let count = 0
  let at = nextMark(sql, 0)
  while (at < sql.length) {
    if (sql[at] === '?') count++
    at = nextMark(sql, endOfMark(sql, at))
  }
  return count
}

function nextMark(sql: string, from: number): number {
  marks.lastIndex = from
  return marks.exec(sql)?.index ?? sql.length
}

/** The position after the literal, name, comment or `?` that starts at a mark. */
function endOfMark(sql: string, at: number): number {
  switch (sql.charAt(at)) {
    case "'":
    case '"':
      return endOfText(sql, at)
    case '`':
      return after(sql, '`', at + 1)
    case '#':
      return after(sql, '\n', at)
    case '-':
      return /^--(?:\s|\p{Cc}|$)/u.test(sql.slice(at, at + 3)) ? after(sql, '\n', at) : at + 2
    case '/':
      // /*! … */ and /*M! … */ are not comments: the server executes them.
      return /^\/\*M?!/.test(sql.slice(at, at + 4)) ? at + 2 : after(sql, '*/', at + 2)
    default:
      return at + 1
  }
}

// A doubled quote needs no special case: it ends one literal and starts the next.
function endOfText(sql: string, start: number): number {
  const quote = sql[start]
  let at = start + 1
  while (at < sql.length && sql[at] !== quote) at += sql[at] === '\\' ? 2 : 1
  return at + 1
}

function after(sql: string, end: string, from: number): number {
  const found = sql.indexOf(end, from)
  return found === -1 ? sql.length : found + end.length
}
