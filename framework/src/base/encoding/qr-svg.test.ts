import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import { qrSvg } from './qr-svg.ts'

/** Pixels for each module: enough for a decoder that expects a photograph. */
const scale = 2

/** Draws the rectangles of the SVG, as a browser would, and reads the code with another library. */
function decoded(svg: string): string | null {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  const dark = /fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ''
  for (const [, left, top, run] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let y = Number(top) * scale; y < (Number(top) + 1) * scale; y += 1) {
      const from = (y * width + Number(left) * scale) * 4
      for (let at = from; at < from + Number(run) * scale * 4; at += 4) pixels.fill(0, at, at + 3)
    }
  }
  return jsQR.default(pixels, width, width)?.data ?? null
}

test('a decoder reads the text back, whatever its length', async () => {
  for (const text of [
    'x',
    'otpauth://totp/Shop:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Shop',
    'https://example.com/é?'.padEnd(120, 'a'),
  ]) {
    assert.equal(decoded(await qrSvg(text)), text)
  }
})

test('nothing but the label comes from outside, and that is escaped', async () => {
  const svg = await qrSvg('<script>', { label: '"><script>' })
  assert.doesNotMatch(svg, /<script/)
  assert.match(svg, /aria-label="&quot;&gt;&lt;script&gt;"/)
  assert.doesNotMatch(svg, /style=|href=|url\(/)
})
