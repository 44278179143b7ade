import { redact } from '../base/redact.ts'
import { Crumbs } from '../activity/crumbs.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { DroppedLines } from './dropped-lines.ts'
import { parseLevel } from './level.ts'
import type { Level } from './level.ts'
import { LogContext } from './log-context.ts'
import type { LogFields } from './log-context.ts'
import type { Sink } from './sink.ts'

type LineLevel = Exclude<Level, 'silent'>

/** The lines of a level are written if its rank is at least that of the channel's level. */
const ranks: Readonly<Record<Level, number>> = {
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
}

/** Options of `Channel`. */
export interface ChannelOptions {
  readonly sinks: readonly Sink[]
  /** The lowest level that is written. @default 'info' */
  readonly level?: Level
  /** The channel does not own its sinks: `close` only flushes them. @default false */
  readonly shared?: boolean
  /** Called once with a message when a sink throws. @default writes to standard error */
  readonly report?: (text: string) => void
  /** Epoch seconds. */
  readonly clock?: () => number
}

/**
 * A named stream of log lines, written as JSON to every sink:
 * `{"timestamp","level","channel","message","context","extra"}`. Secrets in `context` and `extra`
 * are redacted. Logging never throws.
 */
export class Channel {
  readonly name: string
  readonly #options: ChannelOptions
  readonly #output: Output
  readonly #extra: LogFields
  readonly #clock: () => number
  // How lines of `writeJson` begin that have the same time and level as the last one.
  #time = 0
  #level: LineLevel = 'info'
  #start = ''

  /** `parent` is for `child` only. */
  constructor(
    name: string,
    options: ChannelOptions,
    parent?: { readonly output: Output; readonly extra: LogFields },
  ) {
    this.name = name
    this.#options = options
    this.#output = parent?.output ?? outputTo(options)
    this.#clock = options.clock ?? epochSeconds
    this.#extra = parent?.extra ?? {}
  }

  debug(message: string, context?: LogFields): void {
    this.#log('debug', message, context)
  }

  info(message: string, context?: LogFields): void {
    this.#log('info', message, context)
  }

  warn(message: string, context?: LogFields): void {
    this.#log('warn', message, context)
  }

  error(message: string, context?: LogFields): void {
    this.#log('error', message, context)
  }

  /** Like the other levels, but returns only after the line was written. */
  fatal(message: string, context?: LogFields): void {
    this.#log('fatal', message, context)
  }

  /**
   * Writes a line whose end is finished JSON, from `"message":` to the closing brace: for lines that are
   * written very often or must not exceed a size. The caller has redacted it; the fields of `child` and
   * `LogContext` are not added. `secondsAgo` is how long ago it happened.
   */
  writeJson(level: LineLevel, end: string, secondsAgo = 0): void {
    if (!this.isEnabled(level)) return
    const now = this.#clock()
    // In whole milliseconds, as the clock has them.
    const time = secondsAgo < 0.001 ? now : Math.round((now - secondsAgo) * 1_000) / 1_000
    if (time !== this.#time || level !== this.#level || this.#start === '') {
      const channel = JSON.stringify(this.name)
      this.#time = time
      this.#level = level
      this.#start = `{"timestamp":${time},"level":"${level.toUpperCase()}","channel":${channel},`
    }
    this.#output.write(`${this.#start}${end}\n`)
  }

  /** Whether lines of this level are written; ask before building an expensive one. */
  isEnabled(level: LineLevel): boolean {
    return this.#output.rank <= ranks[level]
  }

  /** The same channel (name, level and sinks) with additional fields on every line. */
  child(extra: LogFields): Channel {
    return new Channel(
      this.name,
      { ...this.#options, shared: true },
      { output: this.#output, extra: { ...this.#extra, ...extra } },
    )
  }

  get level(): Level {
    return this.#output.level
  }

  set level(level: Level) {
    this.#output.level = parseLevel(level)
    this.#output.rank = ranks[level]
  }

  /** Resolves when all lines so far are written. */
  async flush(): Promise<void> {
    await Promise.all(this.#options.sinks.map((sink) => sink.flush()))
  }

  /** Writes all lines so far synchronously, for a process that is about to exit. */
  flushSync(): void {
    this.#output.flushSync()
  }

  /** Flushes, and closes the sinks unless they are shared. */
  async close(): Promise<void> {
    if (this.#options.shared) return this.flush()
    await Promise.all(this.#options.sinks.map((sink) => sink.close()))
  }

  #log(level: LineLevel, message: string, context: LogFields = {}): void {
    if (!this.isEnabled(level)) return
    const line = {
      timestamp: this.#clock(),
      level: level.toUpperCase(),
      channel: this.name,
      message: redact(message),
      context: redact(context),
      extra: redact({ ...this.#extra, ...LogContext.current() }),
    }
    if (Crumbs.areKept) Crumbs.line(level, `${this.name}: ${String(line.message)}`)
    this.#output.write(`${JSON.stringify(line)}\n`)
    if (level === 'fatal') this.flushSync()
  }
}

/**
 * Where the lines of a channel and its children go: to every sink, whether or not another one fails. Their
 * level is one.
 */
interface Output {
  level: Level
  rank: number
  write(line: string): void
  flushSync(): void
}

function outputTo({ sinks, report, level = 'info' }: ChannelOptions): Output {
  const dropped = new DroppedLines('of a channel', report)
  const each = (use: (sink: Sink) => void): void => {
    for (const sink of sinks) {
      try {
        use(sink)
      } catch (error) {
        dropped.add(1, error)
      }
    }
  }
  return {
    level: parseLevel(level),
    rank: ranks[level],
    write: (line) => each((sink) => sink.write(line)),
    flushSync: () => each((sink) => sink.flushSync()),
  }
}
