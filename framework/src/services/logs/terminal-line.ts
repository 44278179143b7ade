import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

const styles: Readonly<Record<string, Style>> = {
  DEBUG: 'dim',
  INFO: 'green',
  WARN: 'yellow',
  ERROR: 'red',
  FATAL: ['bgRed', 'whiteBright'],
}

/** A channel's JSON line in readable form: time, level, channel, message and `key=value`. */
export function terminalLine(line: string, colour: boolean): string {
  const entry: unknown = JSON.parse(line)
  const fields = isRecord(entry) ? entry : {}
  const { timestamp, level, channel, message, context, extra } = fields
  const paint = (style: Style, text: string): string =>
    colour && text !== '' ? styleText(style, text, { validateStream: false }) : text
  const label = visible(level).padEnd(5)
  return `${[
    paint('dim', timeOf(timestamp)),
    paint(styles[label.trimEnd()] ?? 'dim', label),
    paint('cyan', visible(channel)),
    visible(message),
    paint('dim', [...pairs(context), ...pairs(extra)].join(' ')),
  ]
    .filter((part) => part !== '')
    .join(' ')}\n`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function timeOf(timestamp: unknown): string {
  const date = new Date(Number(timestamp) * 1_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function pairs(fields: unknown): string[] {
  if (!isRecord(fields)) return []
  return Object.entries(fields).map(([key, value]) => `${visible(key)}=${shown(value)}`)
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return visible(value)
  return visible(JSON.stringify(value))
}

// A message may contain what a visitor sent. Raw control characters could move the cursor, change
// the window title or forge lines; bidirectional marks could make a line read differently.
function visible(text: unknown): string {
  return String(text).replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    if (character === '\n') return String.raw`\n`
    if (character === '\t') return String.raw`\t`
    return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
