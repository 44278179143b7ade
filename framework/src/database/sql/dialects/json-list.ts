/** Bound texts and whole numbers as a JSON list. */
export function jsonList(values: readonly unknown[]): string {
  const parts = values.map((value) =>
    typeof value === 'bigint' ? String(value) : JSON.stringify(value),
  )
  return `[${parts.join(',')}]`
}
