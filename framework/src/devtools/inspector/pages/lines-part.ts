import { html } from '../../../errors/reports/page-text.ts'
import type { RecordedLine } from '../activity-record.ts'
import { droppedNote } from './activity-view.ts'
import type { ActivityView, Part } from './activity-view.ts'
import { countText } from './format.ts'

/** The log lines. */
export function linesPart({ record: { lines, at, dropped } }: ActivityView): Part {
  const rows = lines.map((line) => rowOf(line, at)).join('')
  const table = rows === '' ? '' : `<table class="lines"><tbody>${rows}</tbody></table>`
  return {
    id: 'log',
    title: 'Log',
    note: countText(lines.length, 'line', 'lines'),
    content: table + droppedNote(dropped.lines, 'lines'),
  }
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
