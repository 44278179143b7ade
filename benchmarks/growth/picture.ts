import type { Drawn } from './curve.ts'

const [width, height, left, right, top, bottom] = [340, 250, 46, 14, 34, 96]
const tones = ['#2563a8', '#b4472e', '#2f7d4f', '#7a4ea3']
const columns = 3

/** All groups of curves as one SVG, each with logarithmic axes: a straight line of 45 degrees is linear. */
export function pictureOf(curves: readonly Drawn[]): string {
  const groups = [...Map.groupBy(curves, ({ group }) => group)]
  const rows = Math.ceil(groups.length / columns)
  const charts = groups.map(([title, drawn], at) => {
    const [x, y] = [(at % columns) * width, Math.floor(at / columns) * height]
    return `<g transform="translate(${x} ${y})">${chart(title, drawn)}</g>`
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * width} ${rows * height}" ` +
    `font-family="system-ui, sans-serif" font-size="11" fill="#333" role="img">` +
    `<title>How costs grow</title><rect width="100%" height="100%" fill="#fff"/>${charts.join('')}</svg>\n`
  )
}

function chart(title: string, curves: readonly Drawn[]): string {
  const sizes = curves.flatMap(({ points }) => points.map(([size]) => size))
  const costs = curves.flatMap(({ points }) => points.map(([, cost]) => cost))
  const xs = decades(sizes)
  // One decade of room is a line that looks flat when it is.
  const ys = decades(costs, Math.max(2, xs.last - xs.first - 1))
  const x = scale(xs, left, width - right)
  const y = scale(ys, height - bottom, top)
  const unit = curves[0]?.unit ?? ''
  const grid = [...exponents(ys)].map(
    (power) =>
      `<path d="M${left} ${y(10 ** power)}H${width - right}" stroke="#ddd"/>` +
      `<text x="${left - 6}" y="${y(10 ** power) + 4}" text-anchor="end">${short(10 ** power)}</text>`,
  )
  const below = [...exponents(xs)].map(
    (power) =>
      `<text x="${x(10 ** power)}" y="${height - bottom + 15}" text-anchor="middle">${short(10 ** power)}</text>`,
  )
  const lines = curves.map(({ name, points, shape }, at) => {
    const tone = tones[at % tones.length]
    const path = points.map(([size, cost]) => `${x(size).toFixed(1)} ${y(cost).toFixed(1)}`)
    const dots = points.map(
      ([size, cost]) => `<circle cx="${x(size).toFixed(1)}" cy="${y(cost).toFixed(1)}" r="2.5"/>`,
    )
    const legend = height - bottom + 34 + at * 15
    return (
      `<g fill="${tone}"><path d="M${path.join('L')}" fill="none" stroke="${tone}" stroke-width="1.5"/>${dots.join('')}` +
      `<rect x="${left}" y="${legend - 8}" width="10" height="3"/></g>` +
      `<text x="${left + 16}" y="${legend - 3}">${name}: ${shape}</text>`
    )
  })
  return (
    `<text x="12" y="18" font-size="13" font-weight="600">${title}</text>` +
    `<text x="${width - right}" y="18" text-anchor="end">${unit}</text>` +
    [...grid, ...below, ...lines].join('')
  )
}

interface Decades {
  readonly first: number
  readonly last: number
}

function decades(values: readonly number[], least = 1): Decades {
  const first = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const last = Math.ceil(Math.log10(Math.max(...values)) - 1e-9)
  return { first, last: Math.max(last, first + least) }
}

function* exponents({ first, last }: Decades): Generator<number> {
  for (let power = first; power <= last; power += 1) yield power
}

function scale({ first, last }: Decades, from: number, to: number): (value: number) => number {
  return (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from)
}

/** 1 k, 10 M; 0.1 for what is below one. */
function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`
  if (value >= 1e3) return `${value / 1e3} k`
  return String(Number(value.toPrecision(1)))
}
