/** What holds whoever calls it until so many have, so that all of them are in the midst of something. */
export function meeting(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = expected
  return () => {
    missing -= 1
    if (missing === 0) resolve()
    return promise
  }
}
