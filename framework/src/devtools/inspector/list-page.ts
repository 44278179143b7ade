import { html } from '../../errors/reports/page-text.ts'
import { ActivityKinds } from '../../activity/activity.ts'
import { inspectorPath } from './inspector-path.ts'
import { listRow } from './list-row.ts'
import type { ListRow } from './list-row.ts'
import { documentOf } from './page-frame.ts'
import { maxRecords } from './record-file.ts'
import type { ListedRecord } from './record-file.ts'

/** What the list shows. */
export interface ListView {
  readonly records: readonly ListedRecord[]
  /** The search. */
  readonly words: string
  readonly kind: string
  /** The last change in the file. */
  readonly change: number
  readonly nonce: string
}

const kindNames: Readonly<Record<ActivityKinds, string>> = {
  request: 'Requests',
  job: 'Jobs',
  command: 'Commands',
  task: 'Tasks',
}

/** The list of what happened, newest first. Its script adds what comes. */
export function listPage({ records, words, kind, change, nonce }: ListView): string {
  const body =
    `<header class="bar"><nav aria-label="Site"><a href="/">Back to the site</a></nav>` +
    `<h1>Inspector</h1><p class="tools live" hidden><span id="state" role="status">Connecting</span>` +
    `<button type="button" id="pause">Pause</button></p>${searchForm(words, kind)}</header><main>` +
    `<table class="list" id="list"><caption class="unseen">Requests, jobs, commands and tasks, newest first` +
    `</caption><thead><tr><th scope="col">What</th><th scope="col">Status</th>` +
    `<th scope="col">Took</th><th scope="col">Queries</th><th scope="col">Time</th></tr></thead>` +
    `<tbody id="rows">${records.map((record) => rowOf(listRow(record))).join('')}</tbody></table>` +
    `<p class="none" id="nothing"${records.length > 0 ? ' hidden' : ''}>${html(nothingText(words, kind))}</p>` +
    `</main>${footer}<template id="row">${rowOf(emptyRow)}</template>`
  return documentOf({ title: 'Inspector', body, module: 'list', nonce, data: { change } })
}

function searchForm(words: string, kind: string): string {
  const options = Object.values(ActivityKinds).map(
    (one) => `<option value="${one}"${one === kind ? ' selected' : ''}>${kindNames[one]}</option>`,
  )
  return (
    `<form class="find" action="${inspectorPath}" role="search"><label>Search ` +
    `<input id="search" type="search" name="q" value="${html(words)}" autocomplete="off" ` +
    `spellcheck="false" placeholder="Path, status, statement, id"></label>` +
    `<label>Kind <select id="kind" name="kind"><option value="">Everything</option>` +
    `${options.join('')}</select></label><button id="find">Search</button></form>`
  )
}

function nothingText(words: string, kind: string): string {
  return words === '' && kind === ''
    ? 'Nothing was recorded yet. Open a page of the site.'
    : 'Nothing matches.'
}

const emptyRow: ListRow = {
  number: 0,
  href: inspectorPath,
  subject: '',
  title: '',
  kind: '',
  status: '',
  tone: 'good',
  duration: '',
  statements: '',
  repeats: '',
  time: '',
}

// The cells of the template are filled by the script, so each has its own element.
function rowOf(row: ListRow): string {
  const cell = (name: keyof ListRow): string =>
    `<span class="${name}" data-cell="${name}">${html(`${row[name]}`)}</span>`
  return (
    `<tr data-number="${row.number}"><td><a href="${html(row.href)}">${cell('subject')}</a>` +
    `${cell('kind')}${cell('title')}</td>` +
    `<td><span class="status ${row.tone}" data-cell="status">${html(row.status)}</span></td>` +
    `<td>${cell('duration')}</td><td>${cell('statements')}${cell('repeats')}</td><td>${cell('time')}</td></tr>`
  )
}

const footer =
  `<footer class="help"><p>The last ${maxRecords} requests, jobs, commands and tasks are kept, of all ` +
  `workers. In the search, <code>404</code> and <code>5xx</code> mean a status, ` +
  `<code>failed</code> every failure, <code>n+1</code> a query in a loop.</p><p class="live" hidden><kbd>j</kbd> <kbd>k</kbd> move, ` +
  `<kbd>Enter</kbd> opens, <kbd>/</kbd> searches, <kbd>Esc</kbd> leaves the search.</p></footer>`
