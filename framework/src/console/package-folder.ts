import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the framework package; the same for `src` and `dist`. */
export const packageFolder: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
