/** What a process that serves is told from outside. */
export type ServerSignal = 'stop' | 'restart'

const meanings: readonly (readonly [NodeJS.Signals, ServerSignal])[] = [
  ['SIGTERM', 'stop'],
  ['SIGINT', 'stop'],
  ['SIGUSR2', 'restart'],
]

const subscribers = new Set<(signal: ServerSignal) => void>()
const relays = meanings.map(([name, meaning]) => ({
  name,
  relay: (): void => {
    for (const subscriber of Array.from(subscribers)) subscriber(meaning)
  },
}))

/**
 * Tells a server about signals until the returned function is called. The process has one listener
 * a signal, however many servers it holds; with none left, signals do again what they do by default.
 */
export function onServerSignal(subscriber: (signal: ServerSignal) => void): () => void {
  if (subscribers.size === 0) for (const { name, relay } of relays) process.on(name, relay)
  subscribers.add(subscriber)
  return () => {
    if (!subscribers.delete(subscriber) || subscribers.size > 0) return
    for (const { name, relay } of relays) process.off(name, relay)
  }
}
