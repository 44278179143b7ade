/** What can write its waiting lines without an event loop. */
export interface Flushable {
  flushSync(): void
}

const open = new Set<Flushable>()

/** Flushes the sink when the process ends by `process.exit` or a crash; the answer takes it back. */
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
