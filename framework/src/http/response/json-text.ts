/**
 * A value as JSON. A `bigint` becomes a string, because many JSON parsers would round it; `undefined`
 * becomes null.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (thrown) {
    // A replacer is slow, so it is used only when the first attempt fails on a bigint.
    if (!(thrown instanceof TypeError)) throw thrown
    const replacer = (_key: string, part: unknown): unknown =>
      typeof part === 'bigint' ? String(part) : part
    return JSON.stringify(value, replacer) ?? 'null'
  }
}
