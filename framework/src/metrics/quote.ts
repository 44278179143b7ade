/** A string in quotes for an error message, shortened if long; for other values their type. */
export function quote(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') return `a value of type ${typeof value}`
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
}
