/** What can be learned from the text of a statement without parsing it. */
export interface StatementTraits {
  /** Its first word, in lower case. */
  readonly verb: string
  /** Number of `?` placeholders. */
  readonly placeholders: number
  /** Whether it has other parameters, such as `?1` or `:name`. */
  readonly hasOtherParameters: boolean
  /** Whether it selects `*`, so that its columns depend on the table. */
  readonly hasStar: boolean
}

const tokens =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|\?\d+|[\w\x80-\uffff][\w$\x80-\uffff]*|[:@$#][\w$\x80-\uffff]+|\S/g

// After these a star means all columns; elsewhere it multiplies or belongs to count(*).
const beforeStar: ReadonlySet<string> = new Set([
  'select',
  'distinct',
  'all',
  'returning',
  ',',
  '.',
])

/** Reads the traits of a statement that SQLite has accepted. */
export function scanStatement(sql: string): StatementTraits {
  let verb = ''
  let placeholders = 0
  let hasOtherParameters = false
  let hasStar = false
  let previous = ''
  for (const [token] of sql.matchAll(tokens)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (token === '?') placeholders++
    else if (/^[?:@$#]./.test(token)) hasOtherParameters = true
    else if (token === '*' && beforeStar.has(previous)) hasStar = true
    previous = token.toLowerCase()
    if (verb === '' && token !== ';') verb = previous
  }
  return { verb, placeholders, hasOtherParameters, hasStar }
}

/** Whether a text contains nothing to run: only whitespace, comments and semicolons. */
export function isBlank(sql: string): boolean {
  for (const [token] of sql.matchAll(tokens)) {
    if (!token.startsWith('--') && !token.startsWith('/*') && token !== ';') return false
  }
  return true
}
