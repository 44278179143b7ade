import type { Chart } from './in-page/charts.ts'
import { escapeHtml } from '../../base/encoding/escape-html.ts'

/** The markup of a chart, filled by the script: a number, a plot, and a table of its lines. */
export function card({ id, title, headline, workers }: Chart): string {
  const heading = escapeHtml(title)
  const first = workers === '' ? 'Line' : 'Worker (pid)'
  return (
    `<section class="card" id="${id}" aria-labelledby="${id}-title">` +
    `<h2 id="${id}-title">${heading}</h2>` +
    `<p class="headline"><strong><span class="number">–</span><span class="unit"></span></strong>` +
    `<span class="note">${escapeHtml(headline.note)}</span></p>` +
    `<div class="stage"><svg class="plot" role="img" aria-label="${heading}"></svg>` +
    `<p class="none">Nothing measured yet</p></div>` +
    `<table class="legend" aria-labelledby="${id}-title"><thead><tr><th scope="col">${first}</th>` +
    `<th scope="col" class="when">Now</th><th scope="col">Min</th><th scope="col">Max</th></tr>` +
    `</thead><tbody></tbody></table></section>`
  )
}

/** Templates cloned by the script: a row for a line of a chart, and one for a series. */
export const rowTemplates: string =
  `<template id="legend-row"><tr><th scope="row">` +
  `<svg class="swatch" viewBox="0 0 24 14" aria-hidden="true"><path class="line" d="M1 7h22"/>` +
  `<path class="mark" d=""/></svg><span data-cell></span></th>` +
  `<td data-cell></td><td data-cell></td><td data-cell></td></tr></template>` +
  `<template id="series-row"><tr><th scope="row" data-cell></th><td data-cell></td>` +
  `<td data-cell></td></tr></template>`
