import { html } from '../../errors/reports/page-text.ts'
import { repeatFix } from '../../activity/repeated-statements.ts'
import type { RepeatedStatement } from '../../activity/repeated-statements.ts'
import { StepKinds } from '../../activity/step.ts'
import { isSelect } from '../../database/explain-select.ts'
import type { RecordedStep } from './activity-record.ts'
import { callerLink } from './activity-view.ts'
import type { ActivityView, Part } from './activity-view.ts'
import { countText, durationText } from './format.ts'

/** Statements that are the same, sent from the same line. */
interface Query {
  readonly text: number
  readonly steps: readonly RecordedStep[]
}

/** The statements, equal ones of the same line together. */
export function queriesPart(view: ActivityView): Part {
  const { record } = view
  const queries = queriesOf(record.steps.filter(({ kind }) => kind === StepKinds.Sql))
  const table =
    `<table class="queries"><thead><tr><th scope="col">Statement</th><th scope="col">Rows</th>` +
    `<th scope="col">Took</th></tr></thead><tbody>` +
    `${queries.map((query) => rowOf(query, view)).join('')}</tbody></table>`
  const note = `${countText(record.statements, 'query', 'queries')} in ${durationText(record.statementMs)}`
  const repeats = record.repeats.map((repeated) => repeatNote(repeated, view)).join('')
  const content = record.statements === 0 ? '' : repeats + table
  return { id: 'queries', title: 'Queries', note, content }
}

function queriesOf(steps: readonly RecordedStep[]): readonly Query[] {
  const groups = Map.groupBy(steps, ({ text, caller }) =>
    JSON.stringify([text, caller?.file, caller?.line]),
  )
  return [...groups.values()].map((equal) => ({ text: equal[0]?.text ?? -1, steps: equal }))
}

function rowOf({ text, steps }: Query, view: ActivityView): string {
  const { record, root, explains } = view
  const statement = record.texts[text] ?? ''
  const caller = callerLink(steps[0]?.caller ?? null, root)
  const failures = new Set(steps.flatMap(({ failure }) => failure ?? []))
  const about = [
    ...(caller === '' ? [] : [`<span>at ${caller}</span>`]),
    ...(steps.length < 2 ? [] : [`<span>${steps.length} times</span>`]),
    ...[...failures].map((failure) => `<span class="bad">failed: ${html(failure)}</span>`),
    ...(explains && isSelect(statement) ? [explainButton(text)] : []),
  ]
  const rows = sum(steps, ({ count }) => count)
  return (
    `<tr><td><pre><code>${html(statement === '' ? '(not kept)' : statement)}</code></pre>` +
    `<div class="about">${about.join('')}</div></td>` +
    `<td data-unit="${rows === 1 ? 'row' : 'rows'}">${rows}</td>` +
    `<td>${durationText(sum(steps, ({ durationMs }) => durationMs))}</td></tr>`
  )
}

/** A query in a loop, and what to do about it. */
function repeatNote(repeated: RepeatedStatement, { root }: ActivityView): string {
  const { statement, count, durationMs, caller } = repeated
  return (
    `<div class="repeat"><p><strong>N+1:</strong> the same statement ran ${count} times in ` +
    `${durationText(durationMs)} from ${callerLink(caller, root)}</p>` +
    `<p>To fix it, ${html(repeatFix(repeated))}.</p><pre><code>${html(statement)}</code></pre></div>`
  )
}

function explainButton(text: number): string {
  return `<button type="button" class="explain" data-text="${text}" hidden>Explain</button>`
}

function sum(steps: readonly RecordedStep[], value: (step: RecordedStep) => number): number {
  return steps.reduce((total, step) => total + value(step), 0)
}
