/** Resolves with true when the work is done, with false when the time is up: it then goes on by itself. */
export async function settledWithin(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, withinMs, false)
  const isDone = await Promise.race([work.then(() => true), timeUp])
  clearTimeout(timer)
  return isDone
}
