import type { Channel } from '../../services/logs/channel.ts'

/**
 * Logs the warnings of this process, such as a metric with too many series, which would else stand
 * only on the standard error output. The answer ends it.
 */
export function logWarnings(channel: Channel): () => void {
  const listener = ({ name, message }: Error): void => channel.warn(message, { warning: name })
  process.on('warning', listener)
  return () => void process.off('warning', listener)
}
