/** The first SIGTERM or Ctrl-C aborts the signal; a second one ends the process. `release` removes the listeners. */
export function untilSignal(): { readonly signal: AbortSignal; readonly release: () => void } {
  const stopping = new AbortController()
  const release = (): void => void process.off('SIGTERM', stop).off('SIGINT', stop)
  const stop = (): void => {
    stopping.abort()
    release()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  return { signal: stopping.signal, release }
}
