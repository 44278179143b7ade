import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { commonHeaders } from './responses.ts'

interface StaticFile {
  readonly path: string
  readonly etag: string
  readonly headers: readonly string[]
  /** Null for one that is read whenever it is sent. */
  readonly bytes: Buffer | null
}

/** The files that are served. */
export interface Statics {
  /** Whether the path is a file, which then is sent. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): boolean
}

const types: Readonly<Record<string, string>> = { '.css': 'text/css; charset=utf-8' }
const maxKept = 65_536

/** The files of `static/`, found once; the small ones are kept in memory. */
export async function openStatics(folder: string): Promise<Statics> {
  const files = new Map<string, StaticFile>()
  for (const name of await readdir(join(folder, 'static'))) {
    const path = join(folder, 'static', name)
    const { size, mtime } = await stat(path)
    const etag = `"${size.toString(36)}-${mtime.getTime().toString(36)}"`
    const headers = [
      'ETag',
      etag,
      'Last-Modified',
      mtime.toUTCString(),
      'Cache-Control',
      'public, max-age=0',
      'Accept-Ranges',
      'none',
    ]
    headers.push('Content-Type', types[extname(name)] ?? 'application/octet-stream')
    headers.push('Content-Length', String(size))
    const bytes = size <= maxKept ? await readFile(path) : null
    files.set(`/static/${name}`, { path, etag, headers, bytes })
  }

  return {
    serve(path, request, response) {
      const file = files.get(path)
      if (file === undefined) return false
      const headers = commonHeaders(request)
      if (request.headers['if-none-match']?.includes(file.etag) === true) {
        headers.push(...file.headers.slice(0, 6))
        response.writeHead(304, headers).end()
        return true
      }
      headers.push(...file.headers)
      response.writeHead(200, headers)
      if (file.bytes !== null) response.end(file.bytes)
      else createReadStream(file.path, { highWaterMark: 262_144 }).pipe(response)
      return true
    },
  }
}
