/** What can be learned from the text of a statement without parsing it. */
export interface StatementTraits {
  /** Number of `?` placeholders. */
  readonly placeholders: number
  /** Whether it reads or changes rows, which makes it likely to be repeated. */
  readonly isAboutRows: boolean
}

// A doubled quote needs no special case: it ends one literal and starts the next. /*! … */ and
// /*M! … */ are not comments: the server executes them.
const tokens =
  /'(?:[^'\\]|\\[^])*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)|`[^`]*(?:`|$)|#[^\n]*|--(?=\s|\p{Cc}|$)[^\n]*|\/\*(?!M?!)[^]*?(?:\*\/|$)|\?/gu
const aboutRows = /^[\s(]*(?:select|insert|update|delete|replace|with|values)\b/i

/** Reads the traits of a statement. */
export function scanStatement(sql: string): StatementTraits {
  let placeholders = 0
  for (const [token] of sql.matchAll(tokens)) if (token === '?') placeholders += 1
  return { placeholders, isAboutRows: aboutRows.test(sql) }
}
