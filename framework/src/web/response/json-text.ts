/**
 * A value as JSON. A `bigint`, for which JSON has no form that every reader keeps exact, is a string;
 * `undefined` has no form at all and is null, which is what a reader can expect instead.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (thrown) {
    // A replacer costs every value a call, so only what cannot do without gets one.
    if (!(thrown instanceof TypeError)) throw thrown
    return JSON.stringify(value, bigintAsText) ?? 'null'
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
