import { constants, createReadStream } from 'node:fs'
import type { ReadStream } from 'node:fs'
import { copyFile, link, readFile, rename, unlink } from 'node:fs/promises'
import { FrameworkError } from '../../base/errors.ts'

/** What is known of a file once it is stored. */
export interface StoredFile {
  readonly field: string
  readonly filename: string
  readonly type: string
  readonly size: number
  readonly path: string
}

/**
 * A file that came with a form. It lies in a private temporary folder and goes with the request,
 * unless it is moved. Name and type are the client's word: check them before they matter.
 */
export class UploadedFile {
  /** Name of the form field. */
  readonly field: string
  /** The client's name for it: never empty, without folders and control characters. */
  readonly filename: string
  /** The client's media type for it. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  #path: string

  constructor({ field, filename, type, size, path }: StoredFile) {
    this.field = field
    this.filename = baseName(filename)
    this.type = type
    this.size = size
    this.#path = path
  }

  /** Where it lies now. */
  get path(): string {
    return this.#path
  }

  /**
   * Puts it at `to`, a path of a file. From then on it is the program's.
   * @throws FrameworkError when something is there already and `overwrite` was not asked for.
   */
  async move(
    to: string,
    { overwrite = false }: { readonly overwrite?: boolean } = {},
  ): Promise<void> {
    if (overwrite) await replace(this.#path, to)
    else await place(this.#path, to)
    this.#path = to
  }

  /** The whole content. */
  bytes(): Promise<Buffer> {
    return readFile(this.#path)
  }

  stream(): ReadStream {
    return createReadStream(this.#path)
  }
}

/** The last part of a path in either notation, fit to be shown: what browsers and attackers send. */
export function baseName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const shown = last.replaceAll(/\p{Cc}/gu, '').trim()
  return shown === '' || shown === '.' || shown === '..' ? 'unnamed' : shown
}

async function replace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to)
    await unlink(from)
  }
}

// A rename would replace what is there, and asking first leaves a gap; a link and an exclusive copy
// both fail when the name is taken.
async function place(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error
      return copyFile(from, to, constants.COPYFILE_EXCL)
    })
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
    throw new FrameworkError(
      'E_UPLOAD_EXISTS',
      `the uploaded file was not moved: "${to}" exists; choose another name or pass { overwrite: true }`,
      { cause },
    )
  }
  await unlink(from)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
