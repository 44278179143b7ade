import type { RecordedLine } from './activity-record.ts'

const maxMessageLength = 4_000
const maxContextLength = 8_000

/** Reads a line that a channel has written; null for any other text. Channels have redacted it already. */
export function lineOf(json: string): RecordedLine | null {
  try {
    const line: unknown = JSON.parse(json)
    if (typeof line !== 'object' || line === null) return null
    const { timestamp, level, channel, message, context }: Partial<Record<string, unknown>> = {
      ...line,
    }
    return {
      at: Number(timestamp),
      level: String(level),
      channel: String(channel),
      message: String(message).slice(0, maxMessageLength),
      context: contextText(context),
    }
  } catch {
    return null
  }
}

function contextText(context: unknown): string {
  if (typeof context !== 'object' || context === null) return ''
  return Object.keys(context).length === 0
    ? ''
    : JSON.stringify(context, null, 2).slice(0, maxContextLength)
}
