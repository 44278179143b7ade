import { constants, createReadStream } from 'node:fs'
import type { ReadStream } from 'node:fs'
import { copyFile, link, mkdir, readFile, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FrameworkError, hasCode } from '../../base/errors.ts'
import { privateFolder } from '../../base/files/private-files.ts'

/** An uploaded file as it was stored. */
export interface StoredFile {
  readonly field: string
  readonly filename: string
  readonly type: string
  readonly size: number
  readonly path: string
}

/**
 * A file uploaded with a form. It is kept in a private temporary folder and removed after the
 * response, unless it is moved. Name and type come from the client: do not trust them.
 */
export class UploadedFile {
  /** Name of the form field. */
  readonly field: string
  /** The name sent by the client: never empty, without folders and control characters. */
  readonly filename: string
  /** The media type sent by the client. */
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

  /** Where it is stored now. */
  get path(): string {
    return this.#path
  }

  /**
   * Moves the file to the path `to`, where it is kept. Folders that are missing are created. Only the
   * owner of the process may read the file and enter those folders.
   * @throws FrameworkError if `to` exists and `overwrite` is not set.
   */
  async move(
    to: string,
    { overwrite = false }: { readonly overwrite?: boolean } = {},
  ): Promise<void> {
    const move = overwrite ? replace : moveExclusively
    await move(this.#path, to).catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
      await mkdir(dirname(to), { recursive: true, mode: privateFolder })
      await move(this.#path, to)
    })
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

/** The last part of a POSIX or Windows path, without control characters. */
export function baseName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const shown = last.replaceAll(/\p{Cc}/gu, '').trim()
  return shown === '' || shown === '.' || shown === '..' ? 'unnamed' : shown
}

async function replace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    await copyFile(from, to)
    await unlink(from)
  }
}

// A rename would overwrite, and checking first would be a race; a link and an exclusive copy both fail
// if the name is taken.
async function moveExclusively(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (hasCode(error, 'EEXIST')) throw error
      return copyFile(from, to, constants.COPYFILE_EXCL)
    })
  } catch (cause) {
    if (!hasCode(cause, 'EEXIST')) throw cause
    throw new FrameworkError(
      'E_UPLOAD_EXISTS',
      `the uploaded file was not moved because "${to}" exists; choose another name or pass { overwrite: true }`,
      { cause },
    )
  }
  await unlink(from)
}
