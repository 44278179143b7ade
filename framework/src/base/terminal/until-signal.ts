/** Aborted by SIGTERM and Ctrl-C. */
export interface UntilSignal {
  readonly signal: AbortSignal
  /** Removes the listeners. */
  readonly release: () => void
}

/** The first SIGTERM or Ctrl-C aborts the signal; a second one ends the process. */
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
