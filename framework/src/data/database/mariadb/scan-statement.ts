/** What the text of a statement shows without being understood. */
export interface StatementTraits {
  /** How many `?` it has. */
  readonly placeholders: number
  /** Whether it reads or changes rows, the kind of statement that is run again and again. */
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

/** The first position behind what begins at a mark: a literal, a name, a comment or a `?`. */
function endOfMark(sql: string, at: number): number {
  switch (sql.charAt(at)) {
    case "'":
    case '"':
      return endOfText(sql, at)
    case '`':
      return behind(sql, '`', at + 1)
    case '#':
      return behind(sql, '\n', at)
    case '-':
      return /^--(?:\s|\p{Cc}|$)/u.test(sql.slice(at, at + 3)) ? behind(sql, '\n', at) : at + 2
    case '/':
      // What stands in /*! … */ and /*M! … */ is no comment: the server runs it.
      return /^\/\*M?!/.test(sql.slice(at, at + 4)) ? at + 2 : behind(sql, '*/', at + 2)
    default:
      return at + 1
  }
}

// A doubled quote needs no care here: it ends one text and begins the next.
function endOfText(sql: string, start: number): number {
  const quote = sql[start]
  let at = start + 1
  while (at < sql.length && sql[at] !== quote) at += sql[at] === '\\' ? 2 : 1
  return at + 1
}

function behind(sql: string, end: string, from: number): number {
  const found = sql.indexOf(end, from)
  return found === -1 ? sql.length : found + end.length
}
