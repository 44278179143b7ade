import { realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import { contentTypeOf } from '../response/content-type.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { chooseEncodings } from './accept-encoding.ts'
import type { Encoding } from './accept-encoding.ts'
import { isCompressible } from './compression.ts'
import { isHidden, staticPath } from './static-path.ts'

/** How a folder is served. */
export interface StaticsOptions {
  /** Path below which the folder appears, such as `/assets`. */
  readonly prefix?: string
  /** Seconds caches may keep a file without asking. */
  readonly maxAge?: number
  /** Files never change under their names, so caches need not ask at all. */
  readonly immutable?: boolean
  /** Serves names that begin with a dot. */
  readonly dotfiles?: boolean
  /** File that answers for its folder. */
  readonly index?: string
  /** Sends `app.js.br`, `.zst` or `.gz` beside `app.js` to clients that take it. */
  readonly precompressed?: boolean
}

const extensions: Readonly<Record<Encoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' }
const offers: readonly Encoding[] = ['br', 'zstd', 'gzip']

/**
 * Serves the files of a folder to GET and HEAD and leaves everything else to what follows. Nothing
 * outside the folder is ever served, whatever the path says or a link inside it points to.
 * A file comes before a route of the same path; with a prefix of their own the two never meet.
 */
export class Statics implements MiddlewareObject {
  readonly #folder: string
  readonly #prefix: string
  readonly #options: Required<Omit<StaticsOptions, 'prefix'>>

  /** @throws ConfigurationError when there is no such folder. */
  constructor(folder: string, options: StaticsOptions = {}) {
    const { prefix = '/', maxAge = 0, immutable = false, dotfiles = false } = options
    const { index = 'index.html', precompressed = false } = options
    this.#folder = realFolder(folder)
    this.#prefix = prefix.endsWith('/') ? prefix : `${prefix}/`
    this.#options = { maxAge, immutable, dotfiles, index, precompressed }
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { method, path } = request
    if (method !== 'GET' && method !== 'HEAD') return next()
    const relative = staticPath(path, this.#prefix, this.#options.dotfiles)
    if (relative === null) return next()
    const file = join(this.#folder, relative)
    const stats = look(file)
    if (stats === undefined) return next()
    if (stats.isFile()) return this.#serve(file, request, response, next)
    const index = join(file, this.#options.index)
    if (!stats.isDirectory() || look(index)?.isFile() !== true) return next()
    // Without the slash the relative links of the page would start one folder too high.
    if (!path.endsWith('/')) return response.redirect(withSlash(request), { status: 301 })
    return this.#serve(index, request, response, next)
  }

  async #serve(file: string, request: Request, response: Response, next: Next): Promise<Response> {
    const real = await this.#inside(file)
    if (real === null) return next()
    const type = contentTypeOf(file)
    const { maxAge, immutable, dotfiles } = this.#options
    const options = { type, maxAge, immutable, dotfiles }
    if (!this.#options.precompressed || !isCompressible(type)) return response.file(real, options)
    response.vary('Accept-Encoding')
    const accept = request.header('accept-encoding')
    for (const encoding of chooseEncodings(accept, offers).encodings) {
      const sibling = `${file}${extensions[encoding]}`
      const found = look(sibling)?.isFile() === true ? await this.#inside(sibling) : null
      if (found === null) continue
      await response.file(found, options)
      return response.header('Content-Encoding', encoding)
    }
    return response.file(real, options)
  }

  // Where links lead is asked last, and the answer is what gets opened.
  async #inside(file: string): Promise<string | null> {
    const real = await realpath(file).catch(() => null)
    if (real === null || !real.startsWith(this.#folder + sep)) return null
    return !this.#options.dotfiles && isHidden(real.slice(this.#folder.length + 1)) ? null : real
  }
}

// One question to the kernel's cache takes two microseconds here, a thread-pool trip with an
// exception at its end thirty; and most requests are not for files.
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Too long, a loop of links, not allowed: not there.
    return undefined
  }
}

function withSlash({ path, URI }: Request): string {
  return `${path}/${URI.slice(path.length)}`
}

function realFolder(folder: string): string {
  const stats = look(folder)
  if (stats?.isDirectory() === true) return realpathSync(folder)
  throw new ConfigurationError(
    'E_STATICS',
    `the folder of static files "${folder}" does not exist; create it or correct the path`,
  )
}
