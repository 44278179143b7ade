/** What the text of a statement shows without being understood. */
export interface StatementTraits {
  /** Its first word, in lower case. */
  readonly verb: string
  /** How many `?` it has. */
  readonly placeholders: number
  /** Whether it has parameters of another form, such as `?1` or `:name`. */
  readonly hasOtherParameters: boolean
  /** Whether it selects `*`, so that its columns change with the table. */
  readonly hasStar: boolean
}

const tokens =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|\?\d+|[\w\x80-\uffff][\w$\x80-\uffff]*|[:@$#][\w$\x80-\uffff]+|\S/g

// A star behind these stands for columns; elsewhere it multiplies or belongs to count(*).
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

/** Whether a text holds nothing that could be run: blanks, comments, semicolons. */
export function isIdle(sql: string): boolean {
  for (const [token] of sql.matchAll(tokens)) {
    if (!token.startsWith('--') && !token.startsWith('/*') && token !== ';') return false
  }
  return true
}
