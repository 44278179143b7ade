import { freePort } from '../../framework/tests/support/free-port.ts'
import { AskedProcess } from '../method/asked-process.ts'
import type { LoadRequest } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { isPage, type Entrant } from './contests.ts'
import { plantItems } from './plant-items.ts'
import type { Stage } from './stage.ts'
import { bareWork, pageWork } from './work.ts'

let started = 0

/** A server under test in its own process. */
export class ServerProcess {
  readonly entrant: Entrant
  /** What it is measured with. */
  readonly request: LoadRequest
  /** Requests that it was sent. */
  requests = 0
  readonly #name: string
  readonly #stage: Stage
  readonly #process: AskedProcess

  private constructor(
    entrant: Entrant,
    url: string,
    name: string,
    stage: Stage,
    process: AskedProcess,
  ) {
    this.entrant = entrant
    this.request = isPage(entrant) ? { url, headers: { accept: 'text/html' } } : { url }
    this.#name = name
    this.#stage = stage
    this.#process = process
  }

  /** @throws Error when the process ends before its port is open. */
  static async start(entrant: Entrant, stage: Stage, pin: Pin): Promise<ServerProcess> {
    const { label, server, parts, sampled, env } = entrant
    const port = await freePort()
    const name = `server-${(started += 1)}`
    const folder = await stage.newFolder()
    if (isPage(entrant)) await plantItems(folder)
    const script = `${import.meta.dirname}/servers/${server}.ts`
    const process = await AskedProcess.start(script, [String(port), ...parts], {
      label,
      pin,
      silent: true,
      env: {
        OBSERVABILITY_BENCHMARK_FOLDER: folder,
        ...(sampled !== null && tracingSettings(sampled, stage.endpoint(name))),
        ...env,
      },
    })
    const url = `http://127.0.0.1:${port}${isPage(entrant) ? pageWork.path : bareWork.path}`
    return new ServerProcess(entrant, url, name, stage, process)
  }

  /**
   * Asks once as the load will, and compares the answer, so that only equal work is compared.
   * @throws Error that names the difference.
   */
  async probe(): Promise<void> {
    const headers = { ...this.request.headers, connection: 'close' }
    const came = await fetch(this.request.url, { headers })
    const text = await came.text()
    this.requests += 1
    const isRight = isPage(this.entrant) ? isThePage(text) : text === bareWork.answer
    if (came.status === 200 && isRight) return
    const wrong = `${came.status} ${text}`.slice(0, 200)
    throw new Error(`"${this.entrant.label}" answers ${wrong}, expected 200 with the right body`)
  }

  /** User and system time of the process since it started. */
  async cpuMicros(): Promise<number> {
    return (await this.#process.ask('usage', isUsage)).cpuMicros
  }

  /** Spans that arrived at the sink, for each request. */
  async spansPerRequest(): Promise<number> {
    return (await this.#stage.spansOf(this.#name)) / this.requests
  }

  /** Ends the process and waits until it has exited. */
  stop(): Promise<void> {
    return this.#process.stop()
  }
}

function isThePage(text: string): boolean {
  return (
    text.includes('</html>') &&
    text.includes(pageWork.firstName) &&
    text.split('<time ').length - 1 === pageWork.rows
  )
}

/** The variables that OpenTelemetry has for this; ours and the SDK of the peers read the same. */
function tracingSettings(sampled: number, endpoint: string): Readonly<Record<string, string>> {
  return {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'benchmark',
    // What a burst leaves in the buffer is then sent within the time that counts.
    OTEL_BSP_SCHEDULE_DELAY: '200',
    ...samplerSettings(sampled),
  }
}

function samplerSettings(sampled: number): Readonly<Record<string, string>> {
  if (sampled === 0) return { OTEL_TRACES_SAMPLER: 'always_off' }
  if (sampled === 1) return { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }
  const OTEL_TRACES_SAMPLER_ARG = String(sampled)
  return { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG }
}

function isUsage(message: unknown): message is { readonly cpuMicros: number } {
  return typeof message === 'object' && message !== null && 'cpuMicros' in message
}
