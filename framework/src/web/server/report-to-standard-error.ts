import type { Reporter } from '../../base/throwables/throwables.ts'

/**
 * A reporter for servers that were given none: lines of the channel `exceptions` on standard error.
 * The logs are loaded with the first throwable, since most processes never see one.
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
  const { exceptionsReporter } = await import('../../services/logs/exceptions-reporter.ts')
  const { Logs } = await import('../../services/logs/logs.ts')
  const { jsonSink } = await import('../../services/logs/json-sink.ts')
  const { terminalSink } = await import('../../services/logs/terminal-sink.ts')
  const { stderr } = process
  const sink = stderr.isTTY
    ? terminalSink({ stream: stderr, colour: stderr.hasColors() })
    : jsonSink(stderr)
  return exceptionsReporter(new Logs({ sinks: [sink] }))
}
