import type { Channel } from '../logs/channel.ts'

/**
 * Logs warnings of this process, such as a metric with too many series, which would otherwise appear
 * only on stderr. Returns a function that stops it.
 */
export function logWarnings(channel: Channel): () => void {
  const listener = ({ name, message }: Error): void => channel.warn(message, { warning: name })
  process.on('warning', listener)
  return () => void process.off('warning', listener)
}
