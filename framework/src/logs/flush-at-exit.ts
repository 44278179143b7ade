/** Something that can write its pending lines synchronously. */
export interface Flushable {
  flushSync(): void
}

const open = new Set<Flushable>()

/** Flushes the sink when the process exits or crashes. Returns a function that removes the handler. */
export function flushAtExit(sink: Flushable): () => void {
  if (open.size === 0) process.on('exit', flushAll)
  open.add(sink)
  return () => {
    open.delete(sink)
    if (open.size === 0) process.off('exit', flushAll)
  }
}

function flushAll(): void {
  for (const sink of open) sink.flushSync()
}
