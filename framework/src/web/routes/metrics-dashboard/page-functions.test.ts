import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { charts } from './charts.ts'
import { alternativeOf } from './in-page/alternative.ts'
import { drawingOf } from './in-page/drawing.ts'
import { factsOf } from './in-page/facts.ts'
import { emptyHistory, remember } from './in-page/history.ts'
import { linesOf } from './in-page/lines.ts'
import { readSample } from './in-page/sample.ts'
import { countText, seriesRows } from './in-page/series-rows.ts'
import { pageFunctions } from './page-functions.ts'

const documents = [0, 2, 4].map((seconds) => ({
  timestamp: 1_000 + seconds,
  metrics: {
    http_requests_total: { series: [{ labels: {}, value: 40 * seconds }] },
    http_responses_total: { series: [{ labels: { class: '5xx' }, value: seconds }] },
    http_request_duration_seconds: {
      series: [{ labels: {}, buckets: { 0.1: seconds, '+Inf': seconds }, sum: 1, count: seconds }],
    },
    exceptions_total: { series: [{ labels: {}, value: seconds }] },
    http_requests_in_flight: { series: [{ labels: {}, value: 3 }] },
    process_uptime_seconds: { series: [{ labels: { pid: '7' }, value: 3_700 }] },
    process_memory_bytes: { series: [{ labels: { pid: '7' }, value: 1e8 }] },
    process_cpu_seconds_total: { series: [{ labels: { pid: '7' }, value: seconds / 2 }] },
  },
}))

const memory = { span: 300, average: 10, silence: 10 }
const canvas = { width: 400, height: 178, now: 1_004, span: 300, silence: 10 }

function everything(): unknown {
  let story = emptyHistory()
  for (const document of documents) {
    const sample = readSample(document)
    if (sample !== null) story = remember(story, sample, memory)
  }
  const { sample } = story
  assert.ok(sample)
  return [
    charts.map((chart) => {
      const lines = linesOf(chart, story, 1_004)
      return [lines, drawingOf(chart, lines, canvas), alternativeOf(chart, lines, 5)]
    }),
    factsOf(sample),
    countText(seriesRows(sample, 'http', 500)),
  ]
}

const sameInPage = `
let story = emptyHistory()
for (const document of documents) story = remember(story, readSample(document), memory)
JSON.stringify([
  charts.map((chart) => {
    const lines = linesOf(chart, story, 1_004)
    return [lines, drawingOf(chart, lines, canvas), alternativeOf(chart, lines, 5)]
  }),
  factsOf(story.sample),
  countText(seriesRows(story.sample, 'http', 500)),
])
`

test('the functions in the page compute what the tested ones compute, with nothing else at hand', () => {
  const inPage: unknown = runInNewContext(`'use strict';${pageFunctions}\n${sameInPage}`, {
    documents,
    charts,
    memory,
    canvas,
  })
  assert.equal(inPage, JSON.stringify(everything()))
})

test('every function that is meant for the page is in it', async () => {
  const folder = join(import.meta.dirname, 'in-page')
  for (const file of readdirSync(folder).filter((name) => !name.endsWith('.test.ts'))) {
    const module: unknown = await import(join(folder, file))
    assert.ok(typeof module === 'object' && module !== null)
    for (const [name, member] of Object.entries(module)) {
      assert.equal(typeof member, 'function', `${file} exports ${name}, which is no function`)
      assert.ok(
        pageFunctions.includes(`function ${name}(`),
        `${name} of ${file} is not in the page`,
      )
    }
  }
})
