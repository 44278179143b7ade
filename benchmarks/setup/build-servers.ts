import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'

const sourceFolder = `${import.meta.dirname}/../http`
const builtFolder = `${import.meta.dirname}/../dist`

/**
 * Writes the servers as JavaScript and returns their folder. Node could run the sources, but
 * loading its type stripper costs a process about 50 ms and 17 MB, which are no server's own.
 */
export async function buildServers(): Promise<string> {
  await rm(builtFolder, { recursive: true, force: true })
  await mkdir(`${builtFolder}/servers`, { recursive: true })
  const servers = await readdir(`${sourceFolder}/servers`)
  for (const file of ['scenarios.ts', ...servers.map((name) => `servers/${name}`)]) {
    const code = stripTypeScriptTypes(await readFile(`${sourceFolder}/${file}`, 'utf8'))
    const imports = code.replaceAll(/(?<=\b(?:from |import\()'\.[^']*)\.ts(?=')/g, '.js')
    await writeFile(`${builtFolder}/${file.replace(/\.ts$/, '.js')}`, imports)
  }
  return `${builtFolder}/servers`
}
