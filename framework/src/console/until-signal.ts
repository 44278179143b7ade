/** A signal that is aborted by SIGTERM and Ctrl-C. */
export interface UntilSignal {
  readonly signal: AbortSignal
  /** Listens no longer. */
  readonly release: () => void
}

/** Turns the first SIGTERM or Ctrl-C into an abort; the second one ends the process as usual. */
export function untilSignal(): UntilSignal {
  const stopping = new AbortController()
  const release = (): void => void process.off('SIGTERM', stop).off('SIGINT', stop)
  const stop = (): void => {
    stopping.abort()
    release()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  return { signal: stopping.signal, release }
}
