/** The markup of a table that can be sorted by each column; filled by the script. */
export interface RankedTableOptions {
  readonly id: string
  readonly title: string
  /** What it is about, and over which time. */
  readonly note: string
  readonly columns: readonly string[]
}

const tables: readonly RankedTableOptions[] = [
  {
    id: 'routes',
    title: 'Routes',
    note: 'Errors are responses with status 500 and above.',
    columns: ['Route', 'Rate', 'p50', 'p99', 'Errors'],
  },
  {
    id: 'statements',
    title: 'Slowest queries',
    note: 'From the last five to ten minutes. Values are left out; below each is a line of code that sends it.',
    columns: ['Statement', 'Runs', 'Mean', 'Slowest'],
  },
]

/** The tables of routes and statements. */
export const rankedTables: string = tables.map(rankedTable).join('')

function rankedTable({ id, title, note, columns }: RankedTableOptions): string {
  const headers = columns.map(
    (column) => `<th scope="col"><button type="button">${column}</button></th>`,
  )
  return (
    `<section class="all" id="${id}" aria-labelledby="${id}-title" hidden>` +
    `<h2 id="${id}-title">${title}</h2><p class="note">${note} <span class="shown"></span></p>` +
    `<div class="scroll" role="group" aria-label="Table: ${title}" tabindex="0">` +
    `<table class="series ranked" aria-labelledby="${id}-title"><thead><tr>${headers.join('')}</tr>` +
    `</thead><tbody></tbody></table></div></section>`
  )
}

const cells = (count: number): string => '<td data-cell></td>'.repeat(count)

/** Templates of their rows, cloned by the script. */
export const rankedTemplates: string =
  `<template id="routes-row"><tr><th scope="row" data-cell></th>${cells(4)}</tr></template>` +
  `<template id="statements-row"><tr><th scope="row"><code data-cell></code>` +
  `<small data-cell></small></th>${cells(3)}</tr></template>`
