/** What a signal asks a server to do. */
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
 * Calls the subscriber with signals. Returns a function that stops it. The process has one listener per
 * signal for all servers; without subscribers, signals have their default effect again.
 */
export function onServerSignal(subscriber: (signal: ServerSignal) => void): () => void {
  if (subscribers.size === 0) for (const { name, relay } of relays) process.on(name, relay)
  subscribers.add(subscriber)
  return () => {
    if (!subscribers.delete(subscriber) || subscribers.size > 0) return
    for (const { name, relay } of relays) process.off(name, relay)
  }
}
