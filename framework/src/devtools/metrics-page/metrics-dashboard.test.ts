import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charts } from './in-page/charts.ts'
import { metricsDashboard } from './metrics-dashboard.ts'

const page = metricsDashboard({ nonce: 'a"b', tools: '', refresh: 2 })

test('the page loads nothing but its own module and uPlot', () => {
  assert.match(page, /^<!doctype html><html lang="en">/)
  assert.match(page, /<meta name="robots" content="noindex">/)
  assert.match(page, /<link rel="icon" href="data:image\/svg\+xml,[^"<]+">/)
  assert.doesNotMatch(page, /<(?:img|iframe|object|embed|video|audio|form|base)\b/)
  assert.doesNotMatch(page, /@import|url\(/)
  assert.equal(page.match(/\bsrc=/g)?.length, 1)
  const links = page.match(/<link\b[^>]*>/g) ?? []
  assert.equal(links.length, 2)
  assert.match(
    links[1] ?? '',
    /^<link rel="stylesheet" href="metrics\/page\/uplot-[0-9a-f]{16}\.css"/,
  )
  assert.match(page, /{"imports":{"uplot":".\/metrics\/page\/uplot-[0-9a-f]{16}\.js"}}/)
})

test('style and script carry the nonce, and nothing is inline besides', () => {
  assert.match(page, /<style nonce="a&quot;b">/)
  const script = /<script type="module" src="metrics\/page\/[\w/.-]+" nonce="a&quot;b"><\/script>/
  assert.match(page, script)
  assert.match(page, /<script type="importmap" nonce="a&quot;b">/)
  assert.match(page, /<link rel="stylesheet" href="[^"]+" nonce="a&quot;b">/)
  assert.doesNotMatch(page, /<[^>]*\s(?:style|on\w+)=/)
})

test('the script learns from the page how often it looks, and where', () => {
  assert.match(page, /data-refresh="2" data-events="metrics\/events" data-span="300"/)
})

test('every chart has a heading, a plot and a table; ids are used once', () => {
  for (const { id, title } of charts) {
    assert.ok(page.includes(`<h2 id="${id}-title">${title}</h2>`))
  }
  assert.equal(page.match(/<div class="plot" role="img" aria-label="[^"]+">/g)?.length, 9)
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('without its script the page says so and links to the text format', () => {
  assert.match(page, /id="scriptless">[^<]*JavaScript[^<]*<a href="\?format=text">as text<\/a>/)
  assert.match(page, /<div class="cards live" hidden>/)
})
