import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'

const builtFolder = `${import.meta.dirname}/../dist`

/**
 * Writes the servers of a benchmark, and files beside their folder that they import, as JavaScript, and
 * returns their folder. Node could run the sources, but loading its type stripper costs a process about
 * 50 ms and 17 MB, which are no server's own.
 */
export async function buildServers(
  benchmark: string,
  beside: readonly string[] = [],
): Promise<string> {
  const sources = `${import.meta.dirname}/../${benchmark}`
  // A server of another benchmark can have the same name.
  await rm(builtFolder, { recursive: true, force: true })
  const entries = await readdir(`${sources}/servers`, { recursive: true, withFileTypes: true })
  const servers = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(sources, join(entry.parentPath, entry.name)))
  for (const file of [...beside, ...servers]) {
    const built = `${builtFolder}/${file.replace(/\.ts$/, '.js')}`
    await mkdir(dirname(built), { recursive: true })
    const source = await readFile(`${sources}/${file}`)
    await writeFile(built, file.endsWith('.ts') ? asJavaScript(source.toString()) : source)
  }
  return `${builtFolder}/servers`
}

function asJavaScript(source: string): string {
  const code = stripTypeScriptTypes(source)
  return code.replaceAll(/(?<=\b(?:from |import\()'\.[^']*)\.ts(?=')/g, '.js')
}
