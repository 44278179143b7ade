import { StepKinds } from '../../activity/step.ts'
import type { ActivityRecord, RecordedPhase, RecordedStep } from './activity-record.ts'
import { durationText, isSlow } from './format.ts'

/** Equal steps of the same part, from the same line: one row. */
export interface TimelineRow extends RecordedStep {
  /** The sum of all of them; rows and durations too. */
  readonly durationMs: number
  readonly depth: number
  readonly steps: readonly RecordedPhase[]
  readonly isSlow: boolean
}

/** A record's phases and steps on a common axis, each once. */
export interface Timeline {
  readonly rows: readonly TimelineRow[]
  readonly totalMs: number
  /** Moments for the axis, round numbers. */
  readonly ticks: readonly number[]
  /** Time in which no step ran, the longest first. */
  readonly gaps: readonly TimelineRow[]
}

/** The kind of a row for time in which no step ran. */
export const noStep = 'no step'

/** Shorter gaps say nothing. */
const minGapMs = 5
const minGapShare = 0.1
/** A parent's end is measured a little before or after that of its last step. */
const toleranceMs = 0.05

interface Node extends RecordedStep {
  readonly isPhase: boolean
  readonly inside: Node[]
}

/** Puts steps into the phases and spans during which they ran, and equal ones together. */
export function timelineOf({ phases, steps, durationMs }: ActivityRecord): Timeline {
  const none = { text: -1, count: 0, failure: null, caller: null }
  const all: readonly Node[] = [
    ...phases.map((phase) => ({ ...phase, ...none, isPhase: true, inside: [] })),
    ...steps.map((step) => ({ ...step, isPhase: false, inside: [] })),
  ].toSorted((one, other) => one.startMs - other.startMs || other.durationMs - one.durationMs)
  // Work after the response is drawn too.
  const totalMs = Math.max(durationMs, ...all.map(endOf), 0.001)
  const minMs = Math.max(minGapMs, totalMs * minGapShare)
  const root: Node = {
    kind: '',
    name: '',
    startMs: 0,
    durationMs,
    ...none,
    isPhase: true,
    inside: [],
  }
  const outer: Node[] = [root]
  for (const node of all) {
    outer.findLast((one) => contains(one, node))?.inside.push(node)
    if (node.isPhase || node.kind === StepKinds.Span) outer.push(node)
  }
  if (all.length > 0) for (const node of outer) addGaps(node, minMs)
  const rows = [...rowsOf(root.inside, 0)]
  const gaps = rows
    .filter(({ kind }) => kind === noStep)
    .toSorted((one, other) => other.durationMs - one.durationMs)
  return { rows, totalMs, ticks: ticksOf(totalMs), gaps }
}

function endOf({ startMs, durationMs }: Pick<RecordedPhase, 'startMs' | 'durationMs'>): number {
  return startMs + durationMs
}

// A step need not be awaited by its phase, but a span ends after what it is about.
function contains(outer: Node, node: Node): boolean {
  if (outer.kind === '') return true
  if (node.startMs < outer.startMs - toleranceMs) return false
  return outer.isPhase ? node.startMs < endOf(outer) : endOf(node) <= endOf(outer) + toleranceMs
}

function addGaps(node: Node, minMs: number): void {
  // A span without steps is the project's own code: its name says what it does.
  if (!node.isPhase && node.inside.length === 0) return
  let doneMs = node.startMs
  let caller: RecordedStep['caller'] = null
  const gaps: Node[] = []
  for (const next of [...node.inside, { startMs: endOf(node), durationMs: 0, caller: null }]) {
    const durationMs = Math.min(next.startMs, endOf(node)) - doneMs
    if (durationMs >= minMs) {
      const gap = { kind: noStep, name: node.kind, startMs: doneMs, durationMs, caller }
      gaps.push({ ...gap, text: -1, count: 0, failure: null, isPhase: false, inside: [] })
    }
    doneMs = Math.max(doneMs, endOf(next))
    caller = next.caller ?? caller
  }
  node.inside.push(...gaps)
  node.inside.sort((one, other) => one.startMs - other.startMs)
}

function* rowsOf(nodes: readonly Node[], depth: number): Generator<TimelineRow> {
  const groups = Map.groupBy(nodes, ({ kind, name, text, caller }) =>
    JSON.stringify([kind, name, text, caller?.file, caller?.line]),
  )
  for (const equal of groups.values()) {
    const [first] = equal
    if (first === undefined) continue
    yield {
      ...first,
      depth,
      steps: equal,
      isSlow: equal.some(isSlow),
      durationMs: sum(equal, (one) => one.durationMs),
      count: sum(equal, ({ count }) => count),
      failure: equal.find(({ failure }) => failure !== null)?.failure ?? null,
    }
    yield* rowsOf(
      equal.flatMap((one) => one.inside),
      depth + 1,
    )
  }
}

function sum(nodes: readonly Node[], value: (node: Node) => number): number {
  return nodes.reduce((total, node) => total + value(node), 0)
}

/** Round numbers from zero on, six of them at most. */
function ticksOf(totalMs: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(totalMs / 4))
  const step = [1, 2, 5, 10].map((by) => by * power).find((one) => totalMs / one <= 5) ?? totalMs
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, at) => at * step)
}

/** A place on the axis, for the attributes of an SVG: the policy of the page allows no style attributes. */
export function share(ms: number, totalMs: number): string {
  return `${Math.min(100, Math.max(0, (ms / totalMs) * 100)).toFixed(2)}%`
}

/** A moment on the axis: `0`, `50 ms`, `1.5 s`. */
export function tickText(ms: number): string {
  return ms === 0
    ? '0'
    : durationText(ms)
        .replace(/(\.\d*?)0+ /, '$1 ')
        .replace('. ', ' ')
}
