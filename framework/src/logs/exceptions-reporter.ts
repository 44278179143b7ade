import type { Reporter } from '../errors/throwables/throwables.ts'
import { incidentOf, isFatal } from '../incidents/incident.ts'
import { LogContext } from './log-context.ts'
import type { Logs } from './logs.ts'
import { maskText } from '../base/mask-text.ts'
import { redactFields } from '../base/redact.ts'
import type { Description } from '../errors/reports/description.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { Origins } from '../errors/stack/frames.ts'
import type { Frame } from '../errors/stack/frames.ts'
import { ActivityKinds } from '../activity/activity.ts'
import { StepKinds } from '../activity/step.ts'
import type { Incident, IncidentActivity, IncidentStep } from '../incidents/incident.ts'
import { shownCaller } from '../activity/caller.ts'
import { ByteBudget, fitting } from './byte-budget.ts'
import type { LogFields } from './log-context.ts'

/** Options of `exceptionsReporter`. */
export interface ExceptionsReporterOptions {
  /** Folder of the project, which the paths in a stack are relative to. @default the current folder */
  readonly root?: string
}

/**
 * A reporter that logs each throwable to the channel `exceptions`: its class, message, place, stack and
 * causes, and the request, route, account, trace and statement it belongs to. A line has at most 8 KB.
 */
export function exceptionsReporter(
  logs: Logs,
  { root = currentFolder() }: ExceptionsReporterOptions = {},
): Reporter {
  return (error, context) => {
    const channel = logs.channel('exceptions')
    if (channel.isEnabled('error')) {
      const incident = incidentOf(error, context, Date.now() / 1_000)
      channel.writeJson('error', exceptionLine(incident, LogContext.current(), root))
    }
    // The process ends: its line must be written immediately.
    if (isFatal({ context })) logs.flushSync()
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    // It was deleted: paths stay absolute.
    return import.meta.filename
  }
}

/** Bytes of a whole line. */
export const maxExceptionLine = 8_192
/** Time, level, channel and the names of all keys. */
const frameBytes = 600
/** Time, level and channel. */
const startBytes = 100
const maxBytes = {
  message: 1_200,
  context: 1_200,
  extra: 500,
  statement: 1_000,
  path: 600,
  name: 200,
  code: 100,
  causeMessage: 500,
} as const
const maxFrames = { own: 12, foreign: 16, cause: 4 } as const

/**
 * The line of an incident from its message on, at most 8 KB with what comes before it: after the keys of
 * the specification comes what leads to the bug. If there is too much of it, frames of other people's code are left out first, then properties,
 * then causes. Paths are relative to `root`.
 */
export function exceptionLine(incident: Incident, extra: LogFields, root: string): string {
  // Most lines are short, and need not be measured part by part.
  const whole = lineIn(new ByteBudget(Infinity), incident, extra, root)
  if (Buffer.byteLength(whole) <= maxExceptionLine - startBytes) return whole
  return lineIn(new ByteBudget(maxExceptionLine - frameBytes), incident, extra, root)
}

function lineIn(budget: ByteBudget, incident: Incident, extra: LogFields, root: string): string {
  const { chain, code, activity, span, step } = incident
  const [thrown = unknown, ...causes] = chain
  const location = thrown.frames.find(({ line }) => line > 0)
  const message = budget.text(thrown.message, maxBytes.message)
  const outer = budget.fields(redactFields(extra), maxBytes.extra)
  const given = {
    class: budget.text(thrown.class, maxBytes.name),
    file: budget.text(maskText(location?.file ?? ''), maxBytes.path),
    line: location?.line ?? 0,
    ...budget.fields(incident.context, maxBytes.context),
  }
  const shownCode = code === null ? null : budget.text(code, maxBytes.code)
  const about = {
    route: budget.text(routeOf(activity), maxBytes.path) || null,
    account: budget.text(activity?.account ?? '', maxBytes.name) || null,
    trace: span?.traceId ?? null,
    ...(step !== null && stepFields(step, budget, root)),
  }
  // In the order of their use, which is not that of the keys.
  const stack = shownStack(thrown, root)
  const own = budget.items(stack.own.slice(0, maxFrames.own))
  const shownCauses = budget.items(causes.map((cause) => causeOf(cause, root)))
  // The code has its own key.
  const others = thrown.properties.filter(({ name }) => name !== 'code')
  const properties = budget.items(others.map(({ name, preview }) => [name, preview] as const))
  const foreign = budget.items(stack.foreign.slice(0, maxFrames.foreign))
  const context = {
    ...given,
    code: shownCode,
    stack: [...own, ...foreign],
    causes: shownCauses,
    properties: Object.fromEntries(properties),
    ...about,
  }
  return JSON.stringify({ message, context, extra: outer }).slice(1)
}

const unknown: Pick<Description, 'class' | 'message' | 'properties' | 'frames'> = {
  class: 'Error',
  message: '',
  properties: [],
  frames: [],
}

/** The pattern in the title `GET /orders/:id`; empty if no route matched. */
function routeOf(activity: IncidentActivity | null): string {
  if (activity?.kind !== ActivityKinds.Request) return ''
  const space = activity.title.indexOf(' ')
  return space === -1 ? '' : activity.title.slice(space + 1)
}

function stepFields(
  { kind, name, text, durationMs, caller }: IncidentStep,
  budget: ByteBudget,
  root: string,
): Readonly<Record<string, unknown>> {
  const statement = kind === StepKinds.Sql ? text : `${kind} ${name}`
  const line = caller === null ? '' : maskText(shownCaller(caller, root))
  return {
    statement: budget.text(statement, maxBytes.statement),
    durationMs: Math.round(durationMs * 100) / 100,
    caller: budget.text(line, maxBytes.path) || null,
  }
}

function causeOf(
  cause: Description,
  root: string,
): { readonly class: string; readonly message: string; readonly stack: readonly string[] } {
  const { own, foreign } = shownStack(cause, root)
  return {
    class: fitting(cause.class, maxBytes.name),
    message: fitting(cause.message, maxBytes.causeMessage),
    stack: own.length > 0 ? own.slice(0, maxFrames.cause) : foreign.slice(0, 2),
  }
}

interface ShownStack {
  readonly root: string
  readonly own: readonly string[]
  readonly foreign: readonly string[]
}

const shown = new WeakMap<readonly Frame[], ShownStack>()

// The same stacks come again and again.
function shownStack({ frames }: Pick<Description, 'frames'>, root: string): ShownStack {
  const known = shown.get(frames)
  if (known?.root === root) return known
  const isOwn = ({ origin }: Frame): boolean => origin === Origins.Application
  const stack = {
    root,
    own: frames.filter(isOwn).map((frame) => shownFrame(frame, root)),
    foreign: frames.filter((frame) => !isOwn(frame)).map((frame) => shownFrame(frame, root)),
  }
  shown.set(frames, stack)
  return stack
}

function shownFrame({ call, file, line, column }: Frame, root: string): string {
  // A stack can come from elsewhere and contain URLs.
  const [name, path] = [maskText(call), maskText(fileLabel(file, root))]
  const where = line > 0 ? `${path}:${line}:${column}` : path
  return fitting(name === '' ? where : `${name} (${where})`, maxBytes.path)
}
