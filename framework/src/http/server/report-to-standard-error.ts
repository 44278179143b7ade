import type { Reporter } from '../../errors/throwables/throwables.ts'

/**
 * The default reporter of a server: writes lines of the channel `exceptions` to stderr. The log code is
 * loaded with the first throwable, since most processes never have one.
 */
export function reportToStandardError(): Reporter {
  let loading: Promise<Reporter> | null = null
  return async (error, context) => {
    loading ??= load()
    const report = await loading
    report(error, context)
  }
}

async function load(): Promise<Reporter> {
  const { exceptionsReporter } = await import('../../logs/exceptions-reporter.ts')
  const { Logs } = await import('../../logs/logs.ts')
  const { jsonSink } = await import('../../logs/json-sink.ts')
  const { terminalSink } = await import('../../logs/terminal-sink.ts')
  const { stderr } = process
  const sink = stderr.isTTY
    ? terminalSink({ stream: stderr, colour: stderr.hasColors() })
    : jsonSink(stderr)
  return exceptionsReporter(new Logs({ sinks: [sink] }))
}
