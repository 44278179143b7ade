/** A `fetch` whose requests end when the signal aborts, whatever their own signal says. */
export function abortableFetch(send: typeof fetch, signal: AbortSignal): typeof fetch {
  return (input, init) => {
    const own = init?.signal ?? null
    return send(input, { ...init, signal: own === null ? signal : AbortSignal.any([own, signal]) })
  }
}
