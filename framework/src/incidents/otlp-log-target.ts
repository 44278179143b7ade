import { deliverUntilStop } from '../otlp/deliver.ts'
import type { OtlpSettings } from '../otlp/otlp-settings.ts'
import { createShipRequest } from '../otlp/post.ts'
import type { Post } from '../otlp/post.ts'
import { receiverAt } from '../otlp/receiver.ts'
import type { Receiver } from '../otlp/receiver.ts'
import { systemClock } from '../otlp/deliver.ts'
import type { ShipClock } from '../otlp/deliver.ts'
import { ShipResults } from '../otlp/deliver.ts'
import type { Incident } from './incident.ts'
import type { IncidentTarget, SendOutcome, ReportSource } from './incident-target.ts'
import { maskText } from '../base/mask-text.ts'
import type { Description } from '../errors/reports/description.ts'
import { chainTitles, Relations } from '../errors/stack/error-chain.ts'
import { placeLabel } from '../errors/stack/file-label.ts'
import type { Frame } from '../errors/stack/frames.ts'
import { ActivityKinds } from '../activity/activity.ts'
import { StepKinds } from '../activity/step.ts'
import { nanoseconds } from '../metrics/exporters/otlp.ts'
import { isFatal } from './incident.ts'
import { shownContext, textIn, shownStep, wellFormedJson } from './shown-incident.ts'

/** How a collector takes logs. */
export interface OtlpLogOptions extends Omit<OtlpSettings, 'service' | 'attributes'> {
  /** Replaces the clock, for tests. */
  readonly clock?: ShipClock
  /** Replaces the HTTP client, for tests. */
  readonly fetch?: Post
}

/** Attempts to send the same incidents, in so many seconds. */
const attempts = 5
const retryFor = 60

/** Sends incidents to a collector as OTLP logs, with the retries that metrics get too. */
export class OtlpLogTarget implements IncidentTarget {
  readonly name = 'otlp'
  readonly batchSize = 50
  readonly #receiver: Receiver
  readonly #options: OtlpLogOptions
  readonly #source: ReportSource
  readonly #stopping = new AbortController()
  readonly #abandoned = new AbortController()

  /** @throws InvalidArgumentException for an invalid endpoint or header, without showing it. */
  constructor(options: OtlpLogOptions, source: ReportSource) {
    const { endpoint, headers, isWholeUrl } = options
    this.#receiver = receiverAt(endpoint, headers, isWholeUrl ? '' : '/v1/logs')
    this.#options = options
    this.#source = source
  }

  async send(incidents: readonly Incident[]): Promise<SendOutcome> {
    const { timeoutMs, compression, clock = systemClock, fetch } = this.#options
    const json = otlpLogs(incidents, this.#source, Date.now())
    const { result, notice } = await deliverUntilStop(
      await createShipRequest(this.#receiver, json, compression),
      { attempts, retryFor, timeoutMs, clock, ...(fetch !== undefined && { fetch }) },
      { stopping: this.#stopping.signal, abandoned: this.#abandoned.signal },
    )
    return { isSent: result === ShipResults.Sent, notice }
  }

  stop(): void {
    this.#stopping.abort()
  }

  abandon(): void {
    this.#abandoned.abort()
  }
}

/** OpenTelemetry's numbers of the levels. */
const severities = { error: 17, fatal: 21 } as const

/** Incidents as a logs request of OTLP/HTTP in JSON. */
export function otlpLogs(
  incidents: readonly Incident[],
  source: ReportSource,
  nowMs: number,
): string {
  const scope = { name: 'framework.exceptions' }
  const logRecords = incidents.map((incident) => recordOf(incident, source, nowMs))
  const resource = { attributes: attributeList(resourceOf(source)) }
  return wellFormedJson({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] })
}

/** Whole numbers are bigints; what is null is left out. */
type Attributes = Readonly<Record<string, string | number | bigint | null>>

function resourceOf({ service, release, environment, host, attributes }: ReportSource): Attributes {
  return {
    'service.name': service,
    'service.version': release === '' ? null : release,
    'service.instance.id': host,
    'deployment.environment.name': environment,
    'host.name': host,
    'process.pid': BigInt(process.pid),
    ...attributes,
  }
}

function recordOf(incident: Incident, { root }: ReportSource, nowMs: number): object {
  const { at, chain, span } = incident
  const level = isFatal(incident) ? 'fatal' : 'error'
  return {
    timeUnixNano: nanoseconds(at),
    observedTimeUnixNano: nanoseconds(nowMs / 1_000),
    severityNumber: severities[level],
    severityText: level.toUpperCase(),
    body: { stringValue: chain[0]?.message ?? '' },
    attributes: attributeList({
      ...errorAttributes(incident, root),
      ...activityAttributes(incident),
      ...stepAttributes(incident, root),
      ...contextAttributes(incident),
    }),
    ...(span !== null && { traceId: span.traceId, spanId: span.spanId }),
  }
}

function errorAttributes({ chain, code }: Incident, root: string): Attributes {
  const [outer] = chain
  return {
    'exception.type': outer?.class ?? '',
    'exception.message': outer?.message ?? '',
    'exception.stacktrace': stackText(chain, root),
    'error.type': code ?? outer?.class ?? '',
  }
}

function activityAttributes(incident: Incident): Attributes {
  const { activity } = incident
  const method = textIn(incident, 'method')
  const path = textIn(incident, 'URI')
  return {
    'http.request.method': method === '' ? null : method,
    'url.path': path === '' ? null : path,
    'http.route': activity?.kind === ActivityKinds.Request ? routeIn(activity.title) : null,
    'user.id': activity?.account ?? null,
    ...(activity !== null && { [`framework.${activity.kind}.id`]: activity.id }),
  }
}

/** The title of a request is its method, and its route where one was found. */
function routeIn(title: string): string | null {
  return /^\S+ (.+)$/.exec(title)?.[1] ?? null
}

function stepAttributes({ step }: Incident, root: string): Attributes {
  if (step === null) return {}
  const { kind, name, text, durationMs, caller } = shownStep(step, root)
  return {
    'framework.step.kind': kind,
    'framework.step.name': name,
    'framework.step.duration': durationMs / 1_000,
    'framework.step.caller': caller,
    [kind === StepKinds.Sql ? 'db.query.text' : 'framework.step.text']: text,
  }
}

function contextAttributes(incident: Incident): Attributes {
  const entries = Object.entries(shownContext(incident)).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [`framework.context.${key}`, text] as const
  })
  return Object.fromEntries(entries)
}

function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    return value === null ? [] : [{ key, value: valueOf(value) }]
  })
}

function valueOf(value: string | number | bigint): object {
  if (typeof value === 'string') return { stringValue: value }
  // 64 bits do not fit into a number of JSON.
  return typeof value === 'bigint' ? { intValue: String(value) } : { doubleValue: value }
}

/** An error and its causes with their stacks, as text; files are relative to `root`. */
function stackText(chain: readonly Description[], root: string): string {
  return chain
    .flatMap((one) => [headline(one), ...one.frames.map((frame) => frameLine(frame, root))])
    .join('\n')
}

function headline({ relation, class: name, message }: Description): string {
  const intro = relation === Relations.Thrown ? '' : `${chainTitles[relation]} `
  return `${intro}${name}${message === '' ? '' : `: ${message}`}`
}

function frameLine(frame: Frame, root: string): string {
  const place = placeLabel(frame, root)
  return maskText(frame.call === '' ? `    at ${place}` : `    at ${frame.call} (${place})`)
}
