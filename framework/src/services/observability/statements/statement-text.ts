const texts = /'(?:[^']|'')*'?/g
const numbers = /(?<![\w$:@.])\d[\w.]*/g
const spaces = /\s+/g

/**
 * A statement with `?` in place of the texts and numbers that its author wrote into it, on one line.
 * Bound values were never part of it.
 */
export function statementText(sql: string): string {
  return withoutTexts(sql).replaceAll(numbers, '?').replaceAll(spaces, ' ').trim()
}

function withoutTexts(sql: string): string {
  if (!sql.includes("'")) return sql
  // Whether a backslash escapes a quote depends on the database: then nobody knows where a text ends.
  if (sql.includes('\\')) return `${sql.slice(0, sql.indexOf("'"))}? …`
  return sql.replaceAll(texts, '?')
}
