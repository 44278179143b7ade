/** Resolves when the work is done, or when the time is up: the work then goes on by itself. */
export async function settledWithin(work: Promise<unknown>, withinMs: number): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs)
  await Promise.race([work, timeUp])
  clearTimeout(timer)
}
