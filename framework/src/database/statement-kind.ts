const kinds = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
const byHead = new Map<string, string>(
  kinds.flatMap((kind) => [
    [kind, kind],
    [kind.toLowerCase(), kind],
  ]),
)
const firstWord = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/|\()*([a-z]+)/i

/** SELECT, INSERT, UPDATE or DELETE by the first word of a statement, else OTHER: for metrics and spans. */
export function statementKind(sql: string): string {
  // All statements that we write ourselves start like this.
  const quick = byHead.get(sql.slice(0, 6))
  if (quick !== undefined) return quick
  const word = firstWord.exec(sql)?.[1]?.toUpperCase() ?? ''
  return byHead.get(word) ?? 'OTHER'
}
