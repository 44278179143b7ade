/** Returns a function that waits until this many callers have called it. */
export function barrier(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = expected
  return () => {
    missing -= 1
    if (missing === 0) resolve()
    return promise
  }
}
