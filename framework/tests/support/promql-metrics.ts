/** Words in a query that are not metric names. */
const words = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'])
const texts = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g
const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g

/** The metric names in a PromQL query, each once. */
export function metricsIn(query: string): string[] {
  const rest = query
    .replaceAll(texts, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(grouping, '')
    .replaceAll(/\b\d[\w.]*/g, '')
  const names = rest.matchAll(/[A-Za-z_:][\w:]*(?!\s*\(|[\w:])/g).map(([name]) => name)
  return [...new Set(names)].filter((name) => !words.has(name.toLowerCase()))
}
