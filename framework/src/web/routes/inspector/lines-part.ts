import { html } from '../../../base/reports/page-text.ts'
import type { RecordedLine } from '../../../services/inspector/activity-record.ts'
import { droppedNote, part } from './activity-view.ts'
import type { ActivityView } from './activity-view.ts'
import { countText } from './format.ts'

/** The log lines. */
export function linesPart({ record: { lines, at, dropped } }: ActivityView): string {
  if (lines.length === 0) return ''
  const table =
    `<table class="lines"><tbody>${lines.map((line) => rowOf(line, at)).join('')}</tbody></table>` +
    droppedNote(dropped.lines, 'lines')
  return part('log', 'Log', countText(lines.length, 'line', 'lines'), table)
}

function rowOf({ at, level, channel, message, context }: RecordedLine, start: number): string {
  const more =
    context === ''
      ? ''
      : `<details><summary>context</summary><pre><code>${html(context)}</code></pre></details>`
  const ms = Math.max(0, Math.round((at - start) * 1_000))
  return (
    `<tr><td>+${ms} ms</td><td><span class="level-${html(level.toLowerCase())}">${html(level)}</span> ` +
    `${html(channel)}</td><td>${html(message)}${more}</td></tr>`
  )
}
