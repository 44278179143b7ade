import assert from 'node:assert/strict'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { readForm } from '../../src/http/request/form.ts'
import type { Form } from '../../src/http/request/form.ts'
import type { UploadIntake } from '../../src/http/request/multipart-parts.ts'
import { ProcessUploads } from '../../src/http/request/upload-budget.ts'
import { completeUploads } from '../../src/http/request/upload-options.ts'
import type { Exchange } from '../../src/http/server/engine/engine.ts'
import { completeLimits } from '../../src/http/server/engine/limits.ts'
import type { Limits } from '../../src/http/server/engine/limits.ts'

/** A part of a multipart form. */
export interface Part {
  readonly head: string
  readonly content: string | Buffer
}

/** A request with a multipart form of the boundary `B`. */
export function exchangeOf(body: Readable, headers: Record<string, string> = {}): Exchange {
  return {
    method: 'POST',
    target: '/',
    secure: false,
    address: '127.0.0.1',
    headers: { 'content-type': 'multipart/form-data; boundary=B', ...headers },
    hasBody: true,
    body,
    began: false,
    responded: false,
    responseBytes: 0,
    gone: false,
    streamedBytes: 0,
    respond() {},
    stream: () => Promise.resolve(),
    onGone() {},
    closeAfter() {},
    destroy() {},
  }
}

/** A field. */
export const field = (name: string, content: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  content,
})

/** A file of the type `text/x-test`. */
export const file = (name: string, filename: string, content: string | Buffer): Part => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: text/x-test`,
  content,
})

/** The bytes of a form. */
export function encode(...parts: Part[]): Buffer {
  const pieces = parts.map(({ head, content }) => [
    Buffer.from(`--B\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces.flat(), Buffer.from('--B--\r\n')])
}

/** Cuts bytes into pieces, as a network does. */
export function split(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** Reads a form that arrives in pieces; files are accepted unless `more` says otherwise. */
export function read(
  bytes: Buffer | string,
  limits: Partial<Limits> = {},
  chunk = 1000,
  more: Partial<UploadIntake> = {},
): Promise<Form> {
  const body = Readable.from(split(Buffer.from(bytes), chunk))
  return readFrom(exchangeOf(body), limits, more)
}

/** Reads the form of a request. */
export function readFrom(
  exchange: Exchange,
  given: Partial<Limits> = {},
  more: Partial<UploadIntake> = {},
): Promise<Form> {
  const limits = completeLimits(given)
  const budget = new ProcessUploads(1_000_000_000)
  return readForm(exchange, limits, {
    ...completeUploads({}, limits),
    budget,
    admit: () => {},
    ...more,
  })
}

/** A temporary folder of the test's own, in which uploads land. */
export async function uploadsOf(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-test-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  context.after(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    return rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** The files below a folder that this process has open, where the system tells. */
export function openFilesBelow(folder: string): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })
}

/** Asserts that a folder is empty and no file in it is open. */
export function assertNothingLeft(folder: string): void {
  assert.deepEqual(readdirSync(folder), [])
  assert.deepEqual(openFilesBelow(folder), [])
}
